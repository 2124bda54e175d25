// Hides a secret choice from the other player at the same device.

import { button, el, refill } from "./dom.js";
import { needsCurtain, playerNames } from "./game_state.js";

/** @import { Snapshot } from "./protocol.js" */

export class Curtain {
  box = el("div", { "data-testid": "curtain" });
  /** @type {number | null} The turn in which the player has lifted it. */
  #liftedAt = null;

  /** @param {() => void} onLift */
  constructor(onLift) {
    this.onLift = onLift;
  }

  /**
   * Whether a player's choice is hidden now.
   *
   * @param {Snapshot} snapshot
   */
  isDown(snapshot) {
    return needsCurtain(snapshot) && this.#liftedAt !== snapshot.turn;
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    const isDown = this.isDown(snapshot);
    this.box.hidden = !isDown;
    this.box.className = isDown ? "curtain" : "";
    if (!isDown) {
      this.box.replaceChildren();
      return;
    }
    const name = playerNames(snapshot)[snapshot.view.to_move];
    const lift = () => {
      this.#liftedAt = snapshot.turn;
      this.onLift();
    };
    const props = { class: "main", "data-key": "lift", "data-testid": "lift-curtain" };
    const text = el("p", {}, `Only ${name} should look now.`);
    refill(this.box, text, button(`I am ${name}: show me`, lift, props));
  }

  focus() {
    this.box.querySelector("button")?.focus({ preventScroll: true });
  }
}
