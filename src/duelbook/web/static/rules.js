// The rules of a game. The server generates safe HTML from the book's rules page.

import { fetchRules, rulesPath } from "./api.js";
import { button, el, messageOf } from "./dom.js";
import { Picture } from "./picture.js";
import { RULES } from "./strings.js";

/** @import { Rules } from "./protocol.js" */

/**
 * @param {HTMLElement} box
 * @param {string} slug
 */
export async function showRules(box, slug) {
  if (box.dataset.shown === slug) return;
  box.dataset.shown = slug;
  try {
    fillRules(box, await fetchRules(slug));
  } catch (error) {
    delete box.dataset.shown;
    box.replaceChildren(el("p", { class: "refusal" }, messageOf(error)));
  }
}

/**
 * @param {HTMLElement} box
 * @param {Rules} rules
 */
export function fillRules(box, { html, pictures = [] }) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  parsed.querySelector("h1")?.remove(); // the page shows the title already
  box.replaceChildren(...parsed.body.childNodes);
  for (const figure of box.querySelectorAll("figure")) {
    const scene = pictures[Number(figure.dataset.picture)];
    if (!scene?.length) continue;
    const frame = el("div", { class: "rules-picture" });
    figure.prepend(frame);
    new Picture(frame).show(scene);
  }
}

/**
 * Create a dialog with the rules, and return a function that opens it.
 *
 * @param {string} slug
 * @param {string} title
 */
export function rulesDialog(slug, title) {
  const label = RULES.of(title);
  const body = el("div", {
    class: "rules",
    tabindex: "0",
    role: "document",
    "aria-label": label,
  });
  const close = button(RULES.close, () => dialog.close());
  const head = el("div", { class: "dialog-head" }, el("h2", {}, title), close);
  const page = el("a", { href: rulesPath(slug), target: "_blank" }, RULES.asPage);
  const dialog = el("dialog", { "aria-label": label }, head, page, body);
  dialog.addEventListener("click", (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    const outside = x < left || x > right || y < top || y > bottom;
    if (event.target === dialog && outside) dialog.close();
  });
  document.body.append(dialog);
  return () => {
    showRules(body, slug);
    dialog.showModal();
  };
}
