// The panel with optional parts: the log, the moves, the position as text, the text field for
// moves. It is beside the board if there is room; otherwise it opens over the board.

import { button, el } from "./dom.js";
import { GAME } from "./strings.js";

/** @import { Child } from "./dom.js" */
/** @typedef {{ name: string, label: string, content: HTMLElement }} Tab */

const ID = "game-panel";

export class GamePanel {
  #tabs;
  /** @type {HTMLButtonElement[]} */
  #buttons;

  /**
   * @param {Tab[]} tabs
   * @param {Child[]} footer always visible, footer the open tab
   */
  constructor(tabs, ...footer) {
    this.#tabs = tabs;
    this.#buttons = tabs.map(({ name, label }) =>
      button(label, () => this.#open(name), {
        ...{ role: "tab", id: `tab-${name}`, "aria-controls": `tab-${name}-content` },
        "data-testid": `tab-${name}`,
      }),
    );
    const list = el("div", { role: "tablist", "aria-label": GAME.details }, this.#buttons);
    list.addEventListener("keydown", (event) => this.#step(event));
    const close = button("×", () => this.box.hidePopover(), {
      ...{ class: "subtle panel-close", "aria-label": GAME.close, "data-testid": "panel-close" },
    });
    const contents = tabs.map(({ name, content }) =>
      el(
        "div",
        {
          ...{ role: "tabpanel", id: `tab-${name}-content`, class: "tab-content" },
          "aria-labelledby": `tab-${name}`,
        },
        content,
      ),
    );
    this.contents = contents;
    this.box = el(
      "section",
      { id: ID, class: "panel", popover: "auto", "aria-label": GAME.details },
      el("div", { class: "panel-head" }, list, close),
      ...contents,
      el("div", { class: "panel-foot" }, ...footer),
    );
    this.#open(tabs[0].name);
  }

  /** Return the button that opens the panel if it is not beside the board. */
  opener() {
    const props = { class: "panel-opener", popovertarget: ID, "data-testid": "more" };
    return el("button", { type: "button", ...props }, GAME.more);
  }

  /** @param {string} openName */
  #open(openName) {
    this.#tabs.forEach(({ name }, at) => {
      const isOpen = name === openName;
      this.contents[at].hidden = !isOpen;
      this.#buttons[at].setAttribute("aria-selected", String(isOpen));
      this.#buttons[at].tabIndex = isOpen ? 0 : -1;
    });
  }

  /** @param {KeyboardEvent} event */
  #step(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const count = this.#tabs.length;
    const open = this.#buttons.findIndex((tab) => tab.tabIndex === 0);
    const next = (open + step + count) % count;
    this.#open(this.#tabs[next].name);
    this.#buttons[next].focus();
  }
}
