// The rules of a game in three lines.

import { fetchRules } from "./api.js";
import { el } from "./dom.js";

/**
 * Return a list that loads its items, and disappears if the server does not answer.
 *
 * @param {string} slug
 */
export function shortRules(slug) {
  const list = el("ul", { class: "short-rules", "data-testid": "short-rules" });
  fetchRules(slug)
    .then(({ short = [] }) => list.replaceChildren(...short.map((line) => el("li", {}, line))))
    .catch(() => list.remove());
  return list;
}
