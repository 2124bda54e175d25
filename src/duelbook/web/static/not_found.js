// What is shown where there is nothing to show.

import { el } from "./dom.js";

export function lost(page, why = "There is no such page.") {
  document.title = "Not here · Duelbook";
  page.replaceChildren(
    el(
      "section",
      { class: "lost-page", "data-testid": "not-found" },
      el("h1", {}, "This page is blank"),
      el("p", {}, why),
      el("p", { class: "soft" }, "A link may have lost a letter on its way, or the game was untouched for so long that it was cleared away."),
      el("a", { class: "button main", href: "/" }, "Choose a game"),
    ),
  );
}
