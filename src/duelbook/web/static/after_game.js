// After a game: a rematch, the link, and the review.

import { pagePath } from "./api.js";
import { button, el, refill } from "./dom.js";
import { EndPanel } from "./end_panel.js";
import { fairnessLine } from "./fairness_line.js";
import { isOver, isWaiting, mySeat, playerNames } from "./game_state.js";
import { sharing } from "./invite.js";
import { CHAIR, SENT } from "./protocol.js";
import { Review } from "./review.js";
import { END } from "./strings.js";

/** @import { Marks } from "./last_move.js" */
/** @import { MoveEvent } from "./move_events.js" */
/** @import { ClientMessage, Scene, Snapshot } from "./protocol.js" */
/** @import { FirstCommitment } from "./fairness.js" */
/**
 * `onStep` receives the position that the review shows, `onNext` the id of the next game.
 * `onFocusLost` is called after the focused element was removed.
 *
 * @typedef {{
 *   send: (message: ClientMessage) => void, onNext: (id: string) => void,
 *   onStep: (scene: Scene, marks: Marks, events: MoveEvent[]) => void, onFocusLost: () => void,
 * }} Callbacks
 */

export class AfterGame {
  box = el("div", { class: "stack" });
  reviewBox = el("div");
  #rematch = el("div", { class: "row" });
  #result = el("section", { class: "sheet result", "aria-label": END.label });
  #end;
  /** @type {Review | null} */
  #review = null;

  /** @param {Callbacks} callbacks */
  constructor({ send, onNext, onStep, onFocusLost }) {
    this.send = send;
    this.onNext = onNext;
    this.onStep = onStep;
    this.#end = new EndPanel({
      onReview: () => this.#openReview(),
      onClose: (hadFocus) => {
        this.#result.prepend(this.#rematch);
        if (hadFocus) onFocusLost();
      },
    });
  }

  /** The box that covers the page. */
  get endBox() {
    return this.#end.box;
  }

  /**
   * Show the result of a finished game, and the next steps.
   *
   * @param {Snapshot} snapshot
   */
  announce(snapshot) {
    if (isOver(snapshot)) this.#end.open(snapshot, this.#rematch);
  }

  #openReview() {
    this.#end.close();
    this.reviewBox.scrollIntoView({ block: "nearest" });
    this.#review?.focus();
  }

  /**
   * The position that the review shows, once it is loaded.
   *
   * @returns {{ scene: Scene, marks: Marks } | null}
   */
  get position() {
    const review = this.#review;
    return review?.scene ? { scene: review.scene, marks: review.marks } : null;
  }

  /**
   * @param {Snapshot} snapshot
   * @param {FirstCommitment | null} firstCommitment to the chance outcomes
   */
  show(snapshot, firstCommitment) {
    if (!isOver(snapshot)) {
      this.#review = null;
      this.#end.close();
      this.box.replaceChildren();
      this.reviewBox.replaceChildren();
      return;
    }
    if (!this.#review) {
      this.#review = new Review(snapshot, this.onStep);
      const fairness = fairnessLine(snapshot, firstCommitment);
      const home = el("a", { class: "button", href: "/" }, END.otherGames);
      refill(this.#result, this.#rematch, home, fairness, sharing(snapshot.id));
      this.box.replaceChildren(this.#result, this.#review.reportBox);
      this.reviewBox.replaceChildren(this.#review.box);
    }
    refill(this.#rematch, this.#nextGame(snapshot));
  }

  /** @param {Snapshot} snapshot */
  #nextGame(snapshot) {
    const { status, seats } = snapshot;
    if (status.next) return this.#nextLink(status.next);
    if (!seats.length || isWaiting(snapshot)) return null;
    const me = mySeat(snapshot);
    const opponent = me === null ? null : 1 - me;
    const isRequested =
      opponent !== null &&
      status.rematch[opponent] &&
      status.chairs[opponent].kind === CHAIR.person;
    const hasRequested = seats.every((seat) => status.rematch[seat]);
    const text = hasRequested ? END.asked : END.rematch;
    return [
      isRequested && el("span", { role: "status" }, END.wanted(playerNames(snapshot)[opponent])),
      button(text, () => this.send({ type: SENT.rematch }), {
        class: "primary",
        disabled: hasRequested,
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
    return el("a", { class: "button primary", href: pagePath(id), ...props }, END.next);
  }
}
