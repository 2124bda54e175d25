// Advice for a player: a hint, or the coach of a guided first game. Both appear on the board and as
// text.

import { Coach } from "./coach.js";
import { el } from "./dom.js";
import { containsWords } from "./partial_move.js";
import { HINTS } from "./strings.js";

export class Advice {
  hintBox = el("p", { class: "hint", role: "status", "data-testid": "hint" });
  coach = new Coach(() => this.onChange());
  #hintedMove = "";

  /** @param {() => void} onChange called when the recommended move changes */
  constructor(onChange) {
    this.onChange = onChange;
  }

  /** The recommended move, or an empty text. */
  get #move() {
    return this.#hintedMove || this.coach.move;
  }

  /**
   * @param {string} text empty to hide the hint
   * @param {string} [move] the recommended move
   */
  showHint(text, move = "") {
    this.hintBox.textContent = move ? HINTS.said(text) : text;
    this.#hintedMove = move;
    this.onChange();
  }

  /**
   * Return whether a piece on the board belongs to the recommended move.
   *
   * @param {string} piece
   */
  isAbout(piece) {
    return containsWords(this.#move, piece);
  }

  /**
   * Colour the choices that lead to the recommended move.
   *
   * @param {HTMLElement} box
   */
  colourChoices(box) {
    for (const button of box.querySelectorAll("button")) {
      const { words } = button.dataset;
      const isHinted = words !== undefined && `${this.#move} `.startsWith(`${words} `);
      button.classList.toggle("hinted", isHinted && !button.disabled);
    }
  }
}
