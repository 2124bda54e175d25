// The evaluation bar: who is winning.

import { el } from "./dom.js";

/** @import { Evaluation } from "./protocol.js" */

/**
 * Return the first player's share of the bar, in percent.
 *
 * @param {number} value from -1 to 1
 */
export const firstPlayersShare = (value) => ((value + 1) / 2) * 100;

/** @param {Evaluation} evaluation */
export function evaluationBar({ value, said }) {
  const fill = el("div", { class: "evaluation-fill" });
  fill.style.width = `${firstPlayersShare(value)}%`;
  return el(
    "div",
    { class: "evaluation", "data-testid": "evaluation" },
    el("div", { class: "evaluation-bar", "aria-hidden": "true" }, fill),
    el("p", {}, said),
  );
}
