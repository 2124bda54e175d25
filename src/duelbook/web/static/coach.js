// The guide of a first game: a move and the reason for it, until the learner leaves the guide.

import { fetchRules } from "./api.js";
import { button, el, refill } from "./dom.js";
import { coachedMove, isGuided, isSkipped, skip } from "./first_game.js";
import { isMyTurn, isOver } from "./game_state.js";
import { HINTS } from "./strings.js";

/** @import { CoachedMove, Snapshot } from "./protocol.js" */

/**
 * The move as text, for people who do not see the colours on the board.
 *
 * @param {string} move
 */
const inWords = (move) => el("span", { class: "hidden" }, ` ${HINTS.play(move)}`);

export class Coach {
  box = el("div", {
    ...{ class: "coach", role: "status", hidden: true, "data-testid": "coach" },
  });
  /** The move that is coached now, or nothing. */
  move = "";
  /** @type {CoachedMove[] | null} */
  #steps = null;
  /** @type {Snapshot | undefined} */
  #snapshot;

  /** @param {() => void} onChange called when another move is coached without a new turn */
  constructor(onChange) {
    this.onChange = onChange;
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    const isNew = !this.#snapshot;
    this.#snapshot = snapshot;
    this.box.hidden = !isGuided(snapshot) || isOver(snapshot);
    if (isNew && !this.box.hidden) this.#fetch(snapshot.book);
    this.#render(snapshot);
  }

  /** @param {string} book */
  async #fetch(book) {
    try {
      this.#steps = (await fetchRules(book)).first_game ?? [];
    } catch {
      return; // then there are hints all the same
    }
    this.#change();
  }

  #change() {
    if (this.#snapshot) this.#render(this.#snapshot);
    this.onChange();
  }

  /** @param {Snapshot} snapshot */
  #render(snapshot) {
    const { id, moves } = snapshot;
    const next = this.#steps && (isSkipped(id) ? "skipped" : coachedMove(this.#steps, moves));
    this.move = "";
    if (this.box.hidden || next === null) return; // while the opponent is to move, it stays
    if (typeof next === "string") refill(this.box, el("p", {}, HINTS[next]));
    else if (isMyTurn(snapshot)) {
      const { move, why, at, of } = next;
      this.move = move;
      const stop = () => {
        skip(id);
        this.#change();
      };
      refill(
        this.box,
        el("p", {}, el("b", {}, HINTS.coach(at, of)), ` ${why}`, inWords(move)),
        button(HINTS.skip, stop, { class: "quiet", "data-testid": "skip-guide" }),
      );
    }
  }
}
