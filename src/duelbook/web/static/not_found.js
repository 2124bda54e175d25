// The page for an unknown address.

import { el } from "./dom.js";
import { PAGE } from "./strings.js";

/**
 * @param {HTMLElement} page
 * @param {string} [why]
 */
export function showNotFound(page, why = PAGE.noPage) {
  document.title = PAGE.title(PAGE.notFoundTitle);
  page.replaceChildren(
    el(
      "section",
      { class: "not-found", "data-testid": "not-found" },
      el("h1", {}, PAGE.notFound),
      el("p", {}, why),
      el("p", { class: "muted" }, PAGE.reasons),
      el("a", { class: "button primary", href: "/" }, PAGE.chooseGame),
    ),
  );
}
