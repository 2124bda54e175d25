// Who is winning, as a bar between the two players.

import { el, seatMark } from "./dom.js";

/** @import { Evaluation } from "./protocol.js" */

/**
 * How much of the bar belongs to the first player, in percent.
 *
 * @param {number} value from -1 to 1
 */
export const firstPlayersShare = (value) => ((value + 1) / 2) * 100;

/**
 * @param {Evaluation} evaluation
 * @param {string[]} names
 */
export function evaluationBar({ value, said }, names) {
  const fill = el("div", { class: "evaluation-fill" });
  fill.style.width = `${firstPlayersShare(value)}%`;
  return el(
    "div",
    { class: "evaluation", "data-testid": "evaluation" },
    el(
      "div",
      { class: "evaluation-ends" },
      el("span", {}, seatMark(0), names[0]),
      el("span", {}, names[1], seatMark(1)),
    ),
    el("div", { class: "evaluation-bar", "aria-hidden": "true" }, fill),
    el("p", {}, said),
  );
}
