// What a player can do apart from moving: take back, ask for a hint, resign, allow help.

import { button, el, refill } from "./dom.js";
import { isMyTurn, isOver, isWaiting, mySeat, playerNames } from "./game_state.js";
import { SENT } from "./protocol.js";

/** @import { Child } from "./dom.js" */
/** @import { ClientMessage, Snapshot } from "./protocol.js" */

export class GameControls {
  box = el("div", { class: "controls", role: "group", "aria-label": "The game" });
  /** @type {number | null} The turn in which the player is asked whether to resign. */
  #resigningAt = null;

  /**
   * @param {(message: ClientMessage) => void} send
   * @param {() => void} onFocusLost called when what had the focus is gone
   */
  constructor(send, onFocusLost) {
    this.send = send;
    this.onFocusLost = onFocusLost;
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    const { seats, status } = snapshot;
    const isPlaying = seats.length > 0 && !isOver(snapshot) && !isWaiting(snapshot);
    const canAskHint = status.help.every(Boolean) && isMyTurn(snapshot);
    const controls = [
      this.#takebackButton(snapshot),
      canAskHint && this.#hintButton(),
      ...this.#resignButtons(snapshot),
      this.#helpToggle(snapshot),
    ];
    if (!refill(this.box, isPlaying ? controls : [])) this.onFocusLost();
  }

  /** @param {Snapshot} snapshot */
  #takebackButton({ turn, movers, seats }) {
    return button("Take back", () => this.send({ type: SENT.takeback, answers: turn }), {
      disabled: !movers.some((seat) => seats.includes(seat)),
      "data-key": "takeback",
      "data-testid": "takeback",
    });
  }

  #hintButton() {
    const props = { "data-key": "hint", "data-testid": "ask-hint" };
    return button("Hint", () => this.send({ type: SENT.hint }), props);
  }

  /** @param {Snapshot} snapshot */
  #helpToggle(snapshot) {
    const { help } = snapshot.status;
    const helps = snapshot.seats.every((seat) => help[seat]);
    const toggle = el("input", {
      type: "checkbox",
      checked: helps,
      "data-key": "help",
      "data-testid": "allow-help",
    });
    toggle.addEventListener("change", () => this.send({ type: SENT.help, on: toggle.checked }));
    const me = mySeat(snapshot);
    const isAlone = helps && me !== null && !help[1 - me];
    const note = isAlone ? ` (${playerNames(snapshot)[1 - me]} does not yet)` : "";
    return el("label", { class: "check" }, toggle, el("span", {}, `Allow help${note}`));
  }

  /**
   * Resigning takes two steps.
   *
   * @param {Snapshot} snapshot
   * @returns {Child[]}
   */
  #resignButtons(snapshot) {
    const { turn } = snapshot;
    const ask = (/** @type {number | null} */ at, /** @type {string} */ focus) => () => {
      this.#resigningAt = at;
      this.show(snapshot);
      const next = this.box.querySelector(`[data-key=${focus}]`);
      if (next instanceof HTMLElement) next.focus();
    };
    if (this.#resigningAt !== turn) {
      const props = { "data-key": "resign", "data-testid": "resign" };
      return [button("Resign", ask(turn, "resign-no"), props)];
    }
    const resign = () => this.send({ type: SENT.resign, answers: turn });
    const props = { "data-key": "resign-yes", "data-testid": "resign-yes" };
    return [
      el("span", {}, "Do you really resign?"),
      button("Yes, resign", resign, props),
      button("No, play on", ask(null, "resign"), { "data-key": "resign-no" }),
    ];
  }
}
