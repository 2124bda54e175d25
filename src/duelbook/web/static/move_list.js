// The moves of a game.

import { el, seatMark } from "./dom.js";
import { moverNameAtStart } from "./game_state.js";
import { GAME } from "./strings.js";

/** @import { Snapshot } from "./protocol.js" */

export class MoveList {
  #list = el("ol", {
    ...{ class: "moves", tabindex: "0", "aria-label": GAME.moves, "data-testid": "moves" },
  });
  #none = el("p", { class: "muted" }, GAME.noMoves);
  box = el("div", {}, this.#none, this.#list);

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    const { moves, movers } = snapshot;
    this.#none.hidden = moves.length > 0;
    this.#list.hidden = !moves.length;
    const items = moves.map((move, at) =>
      el(
        "li",
        { class: at === moves.length - 1 ? "last" : "" },
        el("span", { class: "number" }, `${at + 1}.`),
        seatMark(movers[at]),
        el("span", { class: "visually-hidden" }, `${moverNameAtStart(snapshot, movers[at])}: `),
        move,
      ),
    );
    this.#list.replaceChildren(...items);
    this.#list.scrollTop = this.#list.scrollHeight;
  }
}
