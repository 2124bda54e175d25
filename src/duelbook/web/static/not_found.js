// The page for an address that leads nowhere.

import { el } from "./dom.js";

/**
 * @param {HTMLElement} page
 * @param {string} [why]
 */
export function showNotFound(page, why = "There is no such page.") {
  document.title = "Not found · Duelbook";
  const reasons =
    "The link may miss a letter. Games that nobody plays for a long time are deleted.";
  page.replaceChildren(
    el(
      "section",
      { class: "not-found", "data-testid": "not-found" },
      el("h1", {}, "Page not found"),
      el("p", {}, why),
      el("p", { class: "soft" }, reasons),
      el("a", { class: "button main", href: "/" }, "Choose a game"),
    ),
  );
}
