// Hides a hidden choice, or private cards, from the other player at the same device.

import { button, el, refill } from "./dom.js";
import { needsCurtain, playerNames } from "./game_state.js";
import { GAME } from "./strings.js";

/** @import { Snapshot } from "./protocol.js" */

export class Curtain {
  box = el("div", { "data-testid": "curtain" });
  /** @type {number | null} The turn in which the player has opened the curtain. */
  #openedAt = null;

  /**
   * @param {() => void} onOpen called when the choice may be action
   * @param {() => void} onLook called to request the private view of the player to move
   */
  constructor(onOpen, onLook) {
    this.onOpen = onOpen;
    this.onLook = onLook;
  }

  /**
   * Return whether the curtain hides the player's choice now.
   *
   * @param {Snapshot} snapshot
   */
  isClosed(snapshot) {
    const isOpen = this.#openedAt === snapshot.turn && !snapshot.view.private;
    return needsCurtain(snapshot) && !isOpen;
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    const isClosed = this.isClosed(snapshot);
    this.box.hidden = !isClosed;
    this.box.className = isClosed ? "curtain" : "";
    if (!isClosed) {
      this.box.replaceChildren();
      return;
    }
    const name = playerNames(snapshot)[snapshot.view.to_move];
    const open = () => {
      this.#openedAt = snapshot.turn;
      if (snapshot.view.private) this.onLook();
      else this.onOpen();
    };
    const action = snapshot.view.private ? GAME.showPrivate : GAME.showMe;
    const props = { class: "primary", "data-key": "open", "data-testid": "open-curtain" };
    const text = el("p", {}, GAME.onlyOneLooks(name));
    refill(this.box, text, button(GAME.iAm(name, action), open, props));
  }

  focus() {
    this.box.querySelector("button")?.focus({ preventScroll: true });
  }
}
