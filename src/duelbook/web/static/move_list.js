// The moves of a game that is not over. Afterwards the review lists them.

import { el, seatMark } from "./dom.js";
import { isOver, moverName } from "./game_state.js";

/** @import { Snapshot } from "./protocol.js" */

export class MoveList {
  #list = el("ol", {
    ...{ class: "moves", tabindex: "0", "aria-label": "Moves", "data-testid": "moves" },
  });
  box = el("section", { class: "stack" }, el("h3", {}, "Moves"), this.#list);

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    const { moves, movers } = snapshot;
    this.box.hidden = isOver(snapshot) || !moves.length;
    if (isOver(snapshot)) return;
    const items = moves.map((move, at) =>
      el(
        "li",
        { class: at === moves.length - 1 ? "last" : "" },
        el("span", { class: "number" }, `${at + 1}.`),
        seatMark(movers[at]),
        el("span", { class: "hidden" }, `${moverName(snapshot, movers[at])}: `),
        move,
      ),
    );
    this.#list.replaceChildren(...items);
    this.#list.scrollTop = this.#list.scrollHeight;
  }
}
