// What the book tells, as it happens: a log that is read aloud to those who listen to it.

import { el } from "./dom.js";
import { isDrawn, named } from "./text_format.js";

export class Story {
  constructor() {
    this.box = el("div", { class: "story", role: "log", "aria-live": "polite", "aria-label": "What happens", tabindex: "0", "data-testid": "story" });
    this.lines = [];
    new ResizeObserver(() => this.box.clientWidth !== this.width && this.scroll()).observe(this.box);
  }

  // Adds what is new and takes back what no longer happened; the rest stays as it is.
  show(texts, names) {
    const lines = texts.map((text) => named(text, names).trimEnd().replace(/^\n+/, "")).filter(Boolean);
    const same = lines.findIndex((line, at) => line !== this.lines[at]);
    const kept = same < 0 ? Math.min(lines.length, this.lines.length) : same;
    while (this.box.children.length > kept) this.box.lastChild.remove();
    for (const line of lines.slice(kept)) this.box.append(el("p", { class: isDrawn(line) ? "drawn" : null }, line));
    this.lines = lines;
    this.scroll();
  }

  // Shows the end, and as much before it as whole lines have room for.
  scroll() {
    const { box } = this;
    this.width = box.clientWidth;
    box.style.maxHeight = "";
    const top = box.scrollHeight - box.clientHeight;
    if (top > 0) {
      const start = [...box.children].flatMap(linesOf).find((line) => line >= top) ?? top;
      box.style.maxHeight = `${box.offsetHeight - (start - top)}px`;
    }
    box.scrollTop = box.scrollHeight;
  }
}

// Where the lines of a paragraph begin.
function linesOf(paragraph) {
  const tall = Number.parseFloat(getComputedStyle(paragraph).lineHeight);
  const count = Math.max(1, Math.round(paragraph.offsetHeight / tall));
  return [...Array(count).keys()].map((line) => paragraph.offsetTop + line * tall);
}
