// The keyboard shortcuts of a game, and the list of them. They are off in text fields and while a
// dialog is open.

import { button, el } from "./dom.js";
import { choiceByLetter, choiceByNumber } from "./key_choices.js";
import { GAME, KEYS } from "./strings.js";

/** @import { MoveForm } from "./move_form.js" */

const TEXT_FIELDS = "input:not([type=range], [type=checkbox]), select, textarea, [contenteditable]";

export class GameKeys {
  /** The typed digits, while another digit could select another choice. */
  #digits = "";
  #dialog = listDialog();
  /** The button that opens the list of keys. */
  opener = button(KEYS.title, () => this.#dialog.showModal(), {
    ...{ class: "subtle", "data-testid": "keys" },
  });

  /** @param {MoveForm} form */
  constructor(form) {
    this.form = form;
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const { key, target } = event;
    const isModified = event.altKey || event.ctrlKey || event.metaKey || event.repeat;
    const isTyping = target instanceof Element && target.closest(TEXT_FIELDS) !== null;
    const isCovered = document.querySelector("dialog[open], [popover]:popover-open") !== null;
    if (isModified || isTyping || isCovered || event.defaultPrevented) return;
    if (this.#act(key)) event.preventDefault();
  }

  /**
   * Handle a key, and return false if the key has no meaning.
   *
   * @param {string} key
   */
  #act(key) {
    if (/^\d$/.test(key)) return this.#typeDigit(key);
    const digits = this.#digits;
    this.#setDigits("");
    if (key === "Enter" && digits) return this.#choose(digits);
    if (key === "Escape") return this.form.back();
    if (key === "?") this.#dialog.showModal();
    else if (/^\p{L}$/u.test(key)) {
      const choice = choiceByLetter(this.form.shown, key);
      if (choice) this.form.chooseByKey(choice);
      return choice !== null;
    }
    return key === "?";
  }

  /** @param {string} digit */
  #typeDigit(digit) {
    const digits = `${this.#digits}${digit}`;
    const { choice, isUnfinished } = choiceByNumber(this.form.shown, digits);
    if (isUnfinished) this.#setDigits(digits);
    else {
      this.#setDigits("");
      if (choice) this.form.chooseByKey(choice);
    }
    return isUnfinished || choice !== null;
  }

  /** @param {string} digits */
  #choose(digits) {
    const { choice } = choiceByNumber(this.form.shown, digits);
    if (choice) this.form.chooseByKey(choice);
    return choice !== null;
  }

  /** @param {string} digits */
  #setDigits(digits) {
    if (digits === this.#digits) return;
    this.#digits = digits;
    this.form.showMessage(digits && KEYS.unfinished(digits));
  }
}

function listDialog() {
  const dialog = el("dialog", { class: "small-dialog", "aria-label": KEYS.title });
  const rows = KEYS.list.map(([key, action]) => [
    el("dt", {}, el("kbd", {}, key)),
    el("dd", {}, action),
  ]);
  const close = button(GAME.close, () => dialog.close(), { "data-testid": "keys-close" });
  dialog.append(
    el("div", { class: "dialog-head" }, el("h2", {}, KEYS.title), close),
    el("dl", { class: "keys" }, rows),
  );
  document.body.append(dialog);
  return dialog;
}
