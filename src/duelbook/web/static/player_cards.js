// The two players: their names, their clocks, and whether they are connected.

import { ClockDisplay } from "./clocks.js";
import { el, refill, seatMark } from "./dom.js";
import { cardName, describePlayer, hasTurn } from "./game_state.js";
import { CHAIR } from "./protocol.js";
import { STATE } from "./strings.js";

/** @import { Presence, Seat, Snapshot } from "./protocol.js" */

export class PlayerCards {
  box = el("div", { class: "players" });
  #clocks = new ClockDisplay();

  /**
   * @param {Snapshot} snapshot
   * @param {Presence} presence
   */
  show(snapshot, presence) {
    refill(this.box, this.#card(snapshot, 0, presence), this.#card(snapshot, 1, presence));
    this.#clocks.update(snapshot.status.clocks);
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Seat} seat
   * @param {Presence} presence
   */
  #card(snapshot, seat, presence) {
    const { chairs, clocks } = snapshot.status;
    const isOpen = chairs[seat].kind === CHAIR.open;
    const name = isOpen ? STATE.openSeat : cardName(snapshot, seat);
    const turn = hasTurn(snapshot, seat) ? "has-turn" : "";
    const clock = clocks ? el("span", { class: "clock", "data-testid": `clock-${seat}` }) : null;
    this.#clocks.faces[seat] = clock;
    return el(
      "div",
      { class: `player seat${seat} ${turn}`, "data-testid": `player-${seat}` },
      el("span", { class: "name" }, seatMark(seat), el("span", {}, name)),
      clock,
      el("span", { class: "about" }, describePlayer(snapshot, seat, presence) || "\u00a0"),
    );
  }
}
