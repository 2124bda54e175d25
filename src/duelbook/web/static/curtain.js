// Hides a hidden choice, or private cards, from the other player at the same device.

import { button, el, refill } from "./dom.js";
import { needsCurtain, playerNames } from "./game_state.js";
import { GAME } from "./strings.js";

/** @import { Snapshot } from "./protocol.js" */

export class Curtain {
  box = el("div", { "data-testid": "curtain" });
  /** @type {number | null} The turn in which the player has lifted it. */
  #liftedAt = null;

  /**
   * @param {() => void} onLift called when the choice may be shown
   * @param {() => void} onLook called to ask the server for the hand of the player to move
   */
  constructor(onLift, onLook) {
    this.onLift = onLift;
    this.onLook = onLook;
  }

  /**
   * Whether a player's choice is hidden now.
   *
   * @param {Snapshot} snapshot
   */
  isDown(snapshot) {
    const isLifted = this.#liftedAt === snapshot.turn && !snapshot.view.private;
    return needsCurtain(snapshot) && !isLifted;
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
      if (snapshot.view.private) this.onLook();
      else this.onLift();
    };
    const shown = snapshot.view.private ? GAME.showPrivate : GAME.showMe;
    const props = { class: "main", "data-key": "lift", "data-testid": "lift-curtain" };
    const text = el("p", {}, GAME.onlyOneLooks(name));
    refill(this.box, text, button(GAME.iAm(name, shown), lift, props));
  }

  focus() {
    this.box.querySelector("button")?.focus({ preventScroll: true });
  }
}
