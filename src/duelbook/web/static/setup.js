// The setup page of a game: the form that starts it, its picture, and its short rules.

import { el } from "./dom.js";
import { Picture } from "./picture.js";
import { setupForm } from "./setup_form.js";
import { shortRules } from "./short_rules.js";
import { PAGE, SETUP } from "./strings.js";

/** @import { Book } from "./protocol.js" */

/**
 * @param {HTMLElement} page
 * @param {Book} book
 */
export function showSetup(page, book) {
  document.title = PAGE.title(book.title);
  const picture = el("div", { class: "game-picture" });
  const href = `/rules/${encodeURIComponent(book.slug)}`;
  const rules = el("a", { class: "nav-link", href }, SETUP.rules);
  page.replaceChildren(
    el("p", {}, el("a", { class: "nav-link", href: "#" }, SETUP.allGames)),
    el(
      "section",
      { class: "page-intro" },
      el("h1", { tabindex: "-1" }, book.title),
      el("p", {}, book.about),
    ),
    el(
      "div",
      { class: "setup" },
      setupForm(book),
      el("div", { class: "stack" }, picture, shortRules(book.slug), el("p", {}, rules)),
    ),
  );
  new Picture(picture).show(book.scene);
}
