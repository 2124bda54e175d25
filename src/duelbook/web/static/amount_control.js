// The control that chooses an amount at the board, with a slider, buttons or arrow keys. The number
// appears above the finger.

import { button, el } from "./dom.js";
import { GAME } from "./strings.js";

/**
 * The word of the move, the numbers that may follow it, and the label of the action.
 *
 * @typedef {{ word: string, numbers: number[], does: string }} Amount
 */

const MIN_AMOUNTS = 6; // fewer are shown as buttons

export class AmountControl {
  /** @type {Amount | null} */
  #amount = null;
  #dragFrom = 0;
  #range = el("input", { type: "range", min: "0", step: "1", "data-testid": "amount-range" });
  #bubble = el("output", { class: "slider-value", "aria-hidden": "true" });
  #choose = button("", (event) => this.#confirm(event), {
    ...{ class: "primary", "data-testid": "amount-choose" },
  });
  box = el(
    "div",
    { class: "amount-control", role: "group", hidden: true, "data-testid": "amount" },
    button("−", () => this.#step(-1), { "aria-label": GAME.oneLess, "data-testid": "amount-less" }),
    el("div", { class: "slider" }, this.#bubble, this.#range),
    button("+", () => this.#step(1), { "aria-label": GAME.oneMore, "data-testid": "amount-more" }),
    this.#choose,
  );

  /** @param {(says: string, event: UIEvent) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.#range.addEventListener("input", () => this.#refresh());
    this.#range.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#confirm(event);
    });
  }

  /** @param {Amount | null} amount null to hide the control */
  show(amount) {
    const isSame = amount !== null && this.#amount?.word === amount.word && !this.box.hidden;
    this.#amount = amount && amount.numbers.length >= MIN_AMOUNTS ? amount : null;
    this.box.hidden = !this.#amount;
    if (!this.#amount || isSame) return;
    const last = this.#amount.numbers.length - 1;
    this.#range.max = String(last);
    this.#range.value = String(Math.floor(last / 2));
    this.#range.setAttribute("aria-label", this.#amount.does);
    this.#refresh();
  }

  focus() {
    this.#range.focus({ preventScroll: true });
  }

  /** Handle the start of a drag over the board. */
  startDrag() {
    this.#dragFrom = Number(this.#range.value);
  }

  /**
   * Handle a drag that is `pixels` away from its start.
   *
   * @param {number} pixels
   */
  drag(pixels) {
    const last = Number(this.#range.max);
    const across = Math.max(this.box.clientWidth * 0.7, 1);
    this.#range.value = String(this.#dragFrom + Math.round((pixels / across) * last));
    this.#refresh();
  }

  /** @param {number} by */
  #step(by) {
    this.#range.value = String(Number(this.#range.value) + by);
    this.#refresh();
  }

  #refresh() {
    const { numbers, does } = this.#amount ?? { numbers: [0], does: "" };
    const at = Number(this.#range.value);
    const words = `${does} ${numbers[at]}`;
    this.#range.setAttribute("aria-valuetext", words);
    this.#choose.textContent = words;
    this.#bubble.textContent = String(numbers[at]);
    this.#bubble.style.setProperty("--at", String(at / Math.max(numbers.length - 1, 1)));
  }

  /** @param {UIEvent} event */
  #confirm(event) {
    if (!this.#amount) return;
    const number = this.#amount.numbers[Number(this.#range.value)];
    this.onChoose(`${this.#amount.word} ${number}`, event);
  }
}
