// What comes after a game: a rematch, the link, and the review.

import { pagePath } from "./api.js";
import { button, el, refill } from "./dom.js";
import { fairnessLine } from "./fairness_line.js";
import { isOver, isWaiting, mySeat, playerNames } from "./game_state.js";
import { sharing } from "./invite.js";
import { CHAIR, SENT } from "./protocol.js";
import { Review } from "./review.js";

/** @import { ClientMessage, Scene, Snapshot } from "./protocol.js" */
/** @import { Promised } from "./fairness.js" */
/**
 * `onStep` is called with the position that the review shows, `onNext` with the id of the game
 * that follows.
 *
 * @typedef {{
 *   send: (message: ClientMessage) => void, onNext: (id: string) => void,
 *   onStep: (scene: Scene, board: string) => void,
 * }} Callbacks
 */

export class AfterGame {
  box = el("div", { class: "stack" });
  reviewBox = el("div");
  #rematch = el("div", { class: "row" });
  /** @type {Review | null} */
  #review = null;

  /** @param {Callbacks} callbacks */
  constructor({ send, onNext, onStep }) {
    this.send = send;
    this.onNext = onNext;
    this.onStep = onStep;
  }

  /** The scene that the review shows. */
  get scene() {
    return this.#review?.scene;
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Promised | null} promised what the server promised about the draws
   */
  show(snapshot, promised) {
    if (!isOver(snapshot)) {
      this.#review = null;
      this.box.replaceChildren();
      this.reviewBox.replaceChildren();
      return;
    }
    if (!this.#review) {
      this.#review = new Review(snapshot, playerNames(snapshot), this.onStep);
      const fairness = fairnessLine(snapshot, promised);
      const props = { class: "sheet result", "aria-label": "After the game" };
      const result = el("section", props, this.#rematch, fairness, sharing(snapshot.id));
      this.box.replaceChildren(result, this.#review.reportBox);
      this.reviewBox.replaceChildren(this.#review.box);
    }
    const home = el("a", { class: "button", href: "/", "data-key": "home" }, "Other games");
    refill(this.#rematch, this.#nextGame(snapshot), home);
  }

  /** @param {Snapshot} snapshot */
  #nextGame(snapshot) {
    const { status, seats } = snapshot;
    if (status.next) return this.#nextLink(status.next);
    if (!seats.length || isWaiting(snapshot)) return null;
    const me = mySeat(snapshot);
    const other = me === null ? null : 1 - me;
    const isWanted =
      other !== null && status.rematch[other] && status.chairs[other].kind === CHAIR.person;
    const hasAsked = seats.every((seat) => status.rematch[seat]);
    const text = hasAsked ? "Waiting for the other player…" : "Rematch";
    return [
      isWanted &&
        el("span", { role: "status" }, `${playerNames(snapshot)[other]} wants another game.`),
      button(text, () => this.send({ type: SENT.rematch }), {
        class: "main",
        disabled: hasAsked,
        "data-key": "rematch",
        "data-testid": "rematch",
      }),
    ];
  }

  /** @param {string} id */
  #nextLink(id) {
    const go = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.onNext(id);
    };
    const props = { "data-key": "next", "data-testid": "next-game", onclick: go };
    return el("a", { class: "button main", href: pagePath(id), ...props }, "To the next game");
  }
}
