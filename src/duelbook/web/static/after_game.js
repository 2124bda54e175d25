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
/** @import { Moment } from "./moments.js" */
/** @import { ClientMessage, Scene, Snapshot } from "./protocol.js" */
/** @import { Promised } from "./fairness.js" */
/**
 * `onStep` is called with the position that the review shows, `onNext` with the id of the game
 * that follows, `onFocusLost` when the focused element is gone.
 *
 * @typedef {{
 *   send: (message: ClientMessage) => void, onNext: (id: string) => void,
 *   onStep: (scene: Scene, marks: Marks, moments: Moment[]) => void, onFocusLost: () => void,
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
      onReview: () => this.#toReview(),
      onClose: (hadFocus) => {
        this.#result.prepend(this.#rematch);
        if (hadFocus) onFocusLost();
      },
    });
  }

  /** It lies over the page. */
  get endBox() {
    return this.#end.box;
  }

  /**
   * Show how a game ended, and the next steps.
   *
   * @param {Snapshot} snapshot
   */
  announce(snapshot) {
    if (isOver(snapshot)) this.#end.open(snapshot, this.#rematch);
  }

  #toReview() {
    this.#end.close();
    this.reviewBox.scrollIntoView({ block: "nearest" });
    this.#review?.focus();
  }

  /**
   * The position that the review shows, once it has one.
   *
   * @returns {{ scene: Scene, marks: Marks } | null}
   */
  get position() {
    const review = this.#review;
    return review?.scene ? { scene: review.scene, marks: review.marks } : null;
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Promised | null} promised what the server promised about the draws
   */
  show(snapshot, promised) {
    if (!isOver(snapshot)) {
      this.#review = null;
      this.#end.close();
      this.box.replaceChildren();
      this.reviewBox.replaceChildren();
      return;
    }
    if (!this.#review) {
      this.#review = new Review(snapshot, this.onStep);
      const fairness = fairnessLine(snapshot, promised);
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
    const other = me === null ? null : 1 - me;
    const isWanted =
      other !== null && status.rematch[other] && status.chairs[other].kind === CHAIR.person;
    const hasAsked = seats.every((seat) => status.rematch[seat]);
    const text = hasAsked ? END.asked : END.rematch;
    return [
      isWanted && el("span", { role: "status" }, END.wanted(playerNames(snapshot)[other])),
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
    return el("a", { class: "button main", href: pagePath(id), ...props }, END.next);
  }
}
