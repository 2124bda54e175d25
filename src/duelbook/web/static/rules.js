// The rules page of a game. The server makes it from the book's own file and lets no markup in.

import * as api from "./api.js";
import { button, el } from "./dom.js";

export async function rulesInto(box, slug) {
  if (box.dataset.shown === slug) return;
  box.dataset.shown = slug;
  try {
    const { html } = await api.rules(slug);
    const read = new DOMParser().parseFromString(html, "text/html");
    read.querySelector("h1")?.remove(); // the page has said the title
    box.replaceChildren(...read.body.childNodes);
  } catch (problem) {
    delete box.dataset.shown;
    box.replaceChildren(el("p", { class: "refusal" }, problem.message));
  }
}

export function rulesDialog(slug, title) {
  const body = el("div", { class: "rules", tabindex: "0", role: "document", "aria-label": `Rules of ${title}` });
  const dialog = el(
    "dialog",
    { "aria-label": `Rules of ${title}` },
    el("div", { class: "dialog-head" }, el("h2", {}, title), button("Close", () => dialog.close())),
    body,
  );
  dialog.addEventListener("click", (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    const outside = x < left || x > right || y < top || y > bottom;
    if (event.target === dialog && outside) dialog.close();
  });
  document.body.append(dialog);
  return () => {
    rulesInto(body, slug);
    dialog.showModal();
  };
}
