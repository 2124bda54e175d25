// What the book tells, as it happens: a log that is read aloud to those who listen to it.

import { el } from "./dom.js";
import { isDrawn, named } from "./words.js";

export class Story {
  constructor() {
    this.box = el("div", { class: "story", role: "log", "aria-live": "polite", "aria-label": "What happens", tabindex: "0", "data-testid": "story" });
    this.lines = [];
  }

  // Adds what is new and takes back what no longer happened; the rest stays as it is.
  show(texts, names) {
    const lines = texts.map((text) => named(text, names).trimEnd().replace(/^\n+/, "")).filter(Boolean);
    const same = lines.findIndex((line, at) => line !== this.lines[at]);
    const kept = same < 0 ? Math.min(lines.length, this.lines.length) : same;
    while (this.box.children.length > kept) this.box.lastChild.remove();
    for (const line of lines.slice(kept)) this.box.append(el("p", { class: isDrawn(line) ? "drawn" : null }, line));
    this.lines = lines;
    this.box.scrollTop = this.box.scrollHeight;
  }
}
