// Advice for a player: a hint, or the guide of a first game. Both show on the board
// first, and then in words.

import { Coach } from "./coach.js";
import { el } from "./dom.js";
import { containsWords } from "./partial_move.js";
import { HINTS } from "./strings.js";

export class Advice {
  hintBox = el("p", { class: "hint", role: "status", "data-testid": "hint" });
  coach = new Coach(() => this.onChange());
  #hinted = "";

  /** @param {() => void} onChange called when another move is recommended */
  constructor(onChange) {
    this.onChange = onChange;
  }

  /** The move that is recommended, or nothing. */
  get #move() {
    return this.#hinted || this.coach.move;
  }

  /**
   * @param {string} text nothing to hide the hint
   * @param {string} [move] that it is about
   */
  showHint(text, move = "") {
    this.hintBox.textContent = move ? HINTS.said(text) : text;
    this.#hinted = move;
    this.onChange();
  }

  /**
   * Whether something on the board belongs to the move.
   *
   * @param {string} piece
   */
  isAbout(piece) {
    return containsWords(this.#move, piece);
  }

  /**
   * Colour the choices that lead to the move.
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
