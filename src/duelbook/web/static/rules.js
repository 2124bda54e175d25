// The rules page of a game. The server makes it from the book's own file and lets no markup in.

import { fetchRules } from "./api.js";
import { button, el, messageOf } from "./dom.js";

/**
 * @param {HTMLElement} box
 * @param {string} slug
 */
export async function showRules(box, slug) {
  if (box.dataset.shown === slug) return;
  box.dataset.shown = slug;
  try {
    const { html } = await fetchRules(slug);
    const read = new DOMParser().parseFromString(html, "text/html");
    read.querySelector("h1")?.remove(); // the page shows the title already
    box.replaceChildren(...read.body.childNodes);
  } catch (error) {
    delete box.dataset.shown;
    box.replaceChildren(el("p", { class: "refusal" }, messageOf(error)));
  }
}

/**
 * A dialog with the rules; returns what opens it.
 *
 * @param {string} slug
 * @param {string} title
 */
export function rulesDialog(slug, title) {
  const label = `Rules of ${title}`;
  const body = el("div", {
    class: "rules",
    tabindex: "0",
    role: "document",
    "aria-label": label,
  });
  const close = button("Close", () => dialog.close());
  const head = el("div", { class: "dialog-head" }, el("h2", {}, title), close);
  const dialog = el("dialog", { "aria-label": label }, head, body);
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
