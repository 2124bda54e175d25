// The panel at the end of a game: who won, why, and the next steps.

import { button, el, refill, seatMark } from "./dom.js";
import { describeState, mySeat } from "./game_state.js";
import { ENDED_BY } from "./protocol.js";
import { END } from "./strings.js";

/** @import { Child } from "./dom.js" */
/** @import { Snapshot } from "./protocol.js" */
/**
 * `onClose` is called with whether the panel had the focus.
 *
 * @typedef {{ onReview: () => void, onClose: (hadFocus: boolean) => void }} Callbacks
 */

/**
 * Return the sentence that says who won, for the players at this device.
 *
 * @param {Snapshot} snapshot of a game that is over
 */
export function headline(snapshot) {
  const { winner = null, by } = snapshot.status.result ?? {};
  const me = mySeat(snapshot);
  if (winner === null && by !== ENDED_BY.aborted) return END.draw;
  return me !== null && winner === 1 - me ? END.youLose : describeState(snapshot).text;
}

export class EndPanel {
  #title = el("h2", { id: "end-title", tabindex: "-1", "data-testid": "end-title" });
  #why = el("p", { id: "end-why", "data-testid": "end-why" });
  #actions = el("div");
  #onClose;

  /** @param {Callbacks} callbacks */
  constructor({ onReview, onClose }) {
    this.#onClose = onClose;
    const close = button("×", () => this.close(), {
      ...{ class: "subtle close", "aria-label": END.close, "data-testid": "end-close" },
    });
    const review = button(END.review, onReview, { "data-testid": "end-review" });
    // Screen readers read this box even if it does not have the focus.
    const summary = el("div", { role: "status", class: "stack" }, this.#title, this.#why);
    this.box = el(
      "section",
      {
        ...{ class: "end-panel sheet", role: "dialog", hidden: true, "data-testid": "end" },
        ...{ "aria-labelledby": "end-title", "aria-describedby": "end-why" },
      },
      close,
      summary,
      el("div", { class: "row" }, this.#actions, review),
    );
    this.box.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.close();
    });
  }

  get isOpen() {
    return !this.box.hidden;
  }

  /**
   * @param {Snapshot} snapshot of a game that is over
   * @param {Child} actions the next steps besides the review
   */
  open(snapshot, actions) {
    const { winner = null, why = "" } = snapshot.status.result ?? {};
    this.box.hidden = false;
    this.box.classList.add(...(winner === null ? [] : [`seat${winner}`]));
    refill(this.#title, winner !== null && seatMark(winner), el("span", {}, headline(snapshot)));
    this.#why.textContent = why;
    refill(this.#actions, actions);
    const active = document.activeElement;
    const isIdle =
      active === document.body || (active instanceof HTMLElement && active.tabIndex < 0);
    // A spectator may be reading something else.
    if (snapshot.seats.length && isIdle) this.#title.focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    const hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
    this.#onClose(hadFocus);
  }
}
