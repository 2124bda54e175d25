// The board of a game: the picture of its position, in which the player can choose moves.

import { AmountControl } from "./amount_control.js";
import { el } from "./dom.js";
import { Picture } from "./picture.js";

/** @import { PlaySound } from "./effects.js" */
/** @import { Marks } from "./last_move.js" */
/** @import { MoveEvent } from "./move_events.js" */
/** @import { MoveForm } from "./move_form.js" */
/** @import { OwnedLabel } from "./picture.js" */
/** @import { Scene } from "./protocol.js" */

export class GameBoard {
  box = el("div", { class: "picture-box", "data-testid": "picture" });
  /** @type {Scene} */
  #scene = [];
  #amount;
  #picture;

  /**
   * @param {MoveForm} form that holds the partial move
   * @param {{ label: string, ownedLabel: OwnedLabel, isHinted: (piece: string) => boolean }} words
   */
  constructor(form, { label, ownedLabel, isHinted }) {
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
      ownedLabel,
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
   * Animate the events of the last move, and return their duration in milliseconds.
   *
   * @param {MoveEvent[]} events
   * @param {PlaySound} playSound
   */
  play(events, playSound) {
    return this.#picture.play(events, playSound);
  }

  /** Focus the first choice, and return false if there is none. */
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
   * Handle a drag over a piece: change its amount, if it has shape.
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

  /** Show the amount control if the board has a shape for the requested amount. */
  #showAmount() {
    const amount = this.form.amount;
    const word = amount?.word ?? "";
    const target = this.#scene.find(
      (shape) =>
        ("says" in shape && shape.says === word) ||
        ("amounts" in shape && shape.amounts?.includes(word)),
    );
    const does = target && "does" in target && typeof target.does === "string" ? target.does : word;
    this.#amount.show(amount && target ? { ...amount, does } : null);
  }
}
