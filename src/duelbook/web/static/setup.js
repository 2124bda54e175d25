// The page of one game: its picture, its rules, and the form that starts it.

import { el } from "./dom.js";
import { Picture } from "./picture.js";
import { showRules } from "./rules.js";
import { setupForm } from "./setup_form.js";

/** @import { Book } from "./protocol.js" */

const WIDE = 960;

/**
 * @param {HTMLElement} page
 * @param {Book} book
 */
export function showSetup(page, book) {
  document.title = `${book.title} · Duelbook`;
  const picture = el("div", { class: "picture-box" });
  const rules = el("div", { class: "rules" });
  const summary = el("summary", {}, "The rules");
  const details = el("details", { class: "sheet", open: innerWidth > WIDE }, summary, rules);
  details.addEventListener("toggle", () => details.open && showRules(rules, book.slug));
  if (details.open) showRules(rules, book.slug);
  const title = el("h1", { tabindex: "-1" }, book.title);
  const left = el("div", { class: "stack" }, picture, details);
  page.replaceChildren(
    el("p", {}, el("a", { href: "#" }, "All games")),
    el("section", { class: "lead" }, title, el("p", {}, book.about)),
    el("div", { class: "setup" }, left, setupForm(book)),
  );
  new Picture(picture).show(book.scene);
}
