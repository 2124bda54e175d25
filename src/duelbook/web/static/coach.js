// The coach of a guided first game: it shows a move and its reason until the player ends the guide.

import { fetchRules } from "./api.js";
import { button, el, refill } from "./dom.js";
import { coachedMove, isGuided, isSkipped, skip } from "./first_game.js";
import { isMyTurn, isOver } from "./game_state.js";
import { HINTS } from "./strings.js";

/** @import { CoachedMove, Snapshot } from "./protocol.js" */

/**
 * Return the move as text, for people who do not see the colours on the board.
 *
 * @param {string} move
 */
const inWords = (move) => el("span", { class: "visually-hidden" }, ` ${HINTS.play(move)}`);

export class Coach {
  box = el("div", {
    ...{ class: "coach", role: "status", hidden: true, "data-testid": "coach" },
  });
  /** The move that the coach recommends now, or an empty text. */
  move = "";
  /** @type {CoachedMove[] | null} */
  #steps = null;
  /** @type {Snapshot | undefined} */
  #snapshot;

  /** @param {() => void} onChange called when the recommended move changes within a turn */
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
      return; // the player can still ask for hints
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
        button(HINTS.skip, stop, { class: "subtle", "data-testid": "skip-guide" }),
      );
    }
  }
}
