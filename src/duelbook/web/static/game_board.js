// The board of a game: the picture of its position, and choices in it.

import { AmountControl } from "./amount_control.js";
import { el } from "./dom.js";
import { Picture } from "./picture.js";

/** @import { Cue } from "./effects.js" */
/** @import { Marks } from "./last_move.js" */
/** @import { Moment } from "./moments.js" */
/** @import { MoveForm } from "./move_form.js" */
/** @import { Owned } from "./picture.js" */
/** @import { Scene } from "./protocol.js" */

export class GameBoard {
  box = el("div", { class: "picture-box", "data-testid": "picture" });
  /** @type {Scene} */
  #scene = [];
  #amount;
  #picture;

  /**
   * @param {MoveForm} form where moves are put together
   * @param {{ label: string, owned: Owned, isHinted: (piece: string) => boolean }} words
   */
  constructor(form, { label, owned, isHinted }) {
    this.form = form;
    this.#amount = new AmountControl((says, event) => form.point(says, event));
    this.#picture = new Picture(this.box, {
      label,
      fits: true,
      onPoint: (piece, event) => this.#point(piece, event),
      onDrag: (piece, pixels, event) => this.#drag(piece, pixels, event),
      canSelect: (piece) => form.canPointAt(piece),
      isSelected: (piece) => form.isSelected(piece),
      isHinted,
      amountsAfter: (words) => form.amountsAfter(words),
      owned,
    });
    this.box.append(this.#amount.box);
  }

  /**
   * @param {Scene} scene
   * @param {Marks} [marks] if they have changed
   */
  show(scene, marks) {
    this.#scene = scene;
    this.#picture.show(scene, marks);
    this.#showAmount();
  }

  /** Show the current choices. */
  refresh() {
    this.show(this.#scene);
  }

  /**
   * Play the moments of the move that is shown. Returns how many milliseconds they take.
   *
   * @param {Moment[]} moments
   * @param {Cue} cue called with what is to be heard
   */
  play(moments, cue) {
    return this.#picture.play(moments, cue);
  }

  /** Focus the first choice. Returns false if there is none. */
  focus() {
    return this.#picture.focus();
  }

  /**
   * @param {string} piece
   * @param {UIEvent} event
   */
  #point(piece, event) {
    this.form.point(piece, event);
    if (!event.detail && !this.#amount.box.hidden) this.#amount.focus();
  }

  /**
   * A finger slides over a piece: change its amount, if it has one.
   *
   * @param {string} piece
   * @param {number} pixels
   * @param {PointerEvent} event
   */
  #drag(piece, pixels, event) {
    if (pixels) this.#amount.drag(pixels);
    else {
      if (!this.form.amountsAfter([piece]).numbers.length) return false;
      if (!this.form.isSelected(piece)) this.form.point(piece, event);
      this.#amount.startDrag();
    }
    return !this.#amount.box.hidden;
  }

  /** If the board has a shape for the requested amount, the player can choose it there, too. */
  #showAmount() {
    const amount = this.form.amount;
    const word = amount?.word ?? "";
    const shape = this.#scene.find(
      (one) =>
        ("says" in one && one.says === word) || ("amounts" in one && one.amounts?.includes(word)),
    );
    const does = shape && "does" in shape && typeof shape.does === "string" ? shape.does : word;
    this.#amount.show(amount && shape ? { ...amount, does } : null);
  }
}
