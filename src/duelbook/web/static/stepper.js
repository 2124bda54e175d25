// Buttons and a slider that go through the moves of a game.

import { button, el } from "./dom.js";
import { REVIEW } from "./strings.js";

export class Stepper {
  #at = 0;
  #last = 0;
  #onGo;
  #first = this.#button("«", REVIEW.toStart, "step-first", () => 0);
  #back = this.#button("‹", REVIEW.back, "step-back", () => this.#at - 1);
  #forward = this.#button("›", REVIEW.forward, "step-on", () => this.#at + 1);
  #end = this.#button("»", REVIEW.toEnd, "step-last", () => this.#last);
  #slider = el("input", {
    ...{ type: "range", min: "0", max: "0", value: "0", "aria-label": REVIEW.slider },
    "data-testid": "step-slider",
  });

  /** @param {(to: number) => void} onGo called with the number of a move */
  constructor(onGo) {
    this.#onGo = onGo;
    this.#slider.addEventListener("input", () => onGo(Number(this.#slider.value)));
    const controls = [this.#first, this.#back, this.#slider, this.#forward, this.#end];
    this.box = el("div", { class: "stepper" }, controls);
  }

  /**
   * @param {string} text
   * @param {string} label
   * @param {string} testid
   * @param {() => number} to
   */
  #button(text, label, testid, to) {
    const props = { "aria-label": label, "data-testid": testid };
    return button(text, () => this.#onGo(to()), props);
  }

  focus() {
    this.#slider.focus({ preventScroll: true });
  }

  /**
   * @param {number} at
   * @param {number} last
   * @param {string} title that screen readers read at the slider
   */
  show(at, last, title) {
    this.#at = at;
    this.#last = last;
    this.#slider.max = String(last);
    this.#slider.value = String(at);
    this.#slider.setAttribute("aria-valuetext", title);
    this.#first.disabled = at === 0;
    this.#back.disabled = at === 0;
    this.#forward.disabled = at === last;
    this.#end.disabled = at === last;
  }
}
