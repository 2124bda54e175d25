// The log: the book's lines for each move. Screen readers read it aloud.

import { el } from "./dom.js";
import { LOG } from "./strings.js";

/**
 * Return the number of equal texts at the start of two lists.
 *
 * @param {string[]} entries
 * @param {string[]} others
 */
export function sharedStart(entries, others) {
  const different = entries.findIndex((text, at) => text !== others[at]);
  return different < 0 ? entries.length : different;
}

export class GameLog {
  /** @type {string[]} */
  #entries = [];
  #width = 0;

  constructor() {
    this.box = el("div", {
      class: "log",
      role: "log",
      "aria-live": "polite",
      "aria-label": LOG.label,
      tabindex: "0",
      "data-testid": "story",
    });
    const resized = () => this.box.clientWidth !== this.#width && this.#scrollToEnd();
    new ResizeObserver(resized).observe(this.box);
  }

  /**
   * Add new lines, and remove lines of moves that were taken back.
   *
   * @param {string[]} entries
   */
  show(entries) {
    const shared = sharedStart(entries, this.#entries);
    while (this.box.children.length > shared) this.box.lastChild?.remove();
    for (const entry of entries.slice(shared)) this.box.append(el("p", {}, entry));
    this.#entries = entries;
    this.#scrollToEnd();
  }

  // Show the last entries, and no partly visible line above them.
  #scrollToEnd() {
    const { box } = this;
    this.#width = box.clientWidth;
    box.style.maxHeight = "";
    const top = box.scrollHeight - box.clientHeight;
    if (top > 0) {
      const paragraphs = /** @type {HTMLElement[]} */ ([...box.children]);
      const tops = paragraphs.map(({ offsetTop }) => offsetTop);
      const start =
        [...tops, ...paragraphs.flatMap(lineTops)].find((offset) => offset >= top) ?? top;
      box.style.maxHeight = `${box.offsetHeight - (start - top)}px`;
    }
    box.scrollTop = box.scrollHeight;
  }
}

/**
 * Return the vertical offsets of the lines of a paragraph.
 *
 * @param {HTMLElement} paragraph
 */
function lineTops(paragraph) {
  const height = Number.parseFloat(getComputedStyle(paragraph).lineHeight);
  const count = Math.max(1, Math.round(paragraph.offsetHeight / height));
  return [...Array(count).keys()].map((line) => paragraph.offsetTop + line * height);
}
