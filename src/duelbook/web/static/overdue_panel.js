// The panel about an opponent who does not start, or has left: the time to wait, and then a way to
// end the game.

import { button, el, refill } from "./dom.js";
import { isOver, isWaiting, mySeat, playerNames } from "./game_state.js";
import { CLAIM, MAY, SENT } from "./protocol.js";
import { OVERDUE } from "./strings.js";
import { formatDuration } from "./text_format.js";

/** @import { ClientMessage, Presence, Snapshot } from "./protocol.js" */
/**
 * The content of the panel: a text with the time, and the actions of the player.
 *
 * @typedef {{ text: string, choices: [string, ClientMessage][] }} Notice
 */

const REFRESH_MS = 200;

/**
 * Return the content of the panel, or null if nobody is overdue.
 *
 * @param {Snapshot} snapshot
 * @param {Presence} presence
 * @param {number} elapsed the milliseconds since the last presence message
 * @returns {Notice | null}
 */
export function overdueNotice(snapshot, { overdue, seats }, elapsed) {
  const me = mySeat(snapshot);
  const { turn: answers, view } = snapshot;
  if (!overdue || me === null || isOver(snapshot) || isWaiting(snapshot)) return null;
  const left = overdue.after - elapsed;
  const time = formatDuration(Math.ceil(left / 1000) * 1000);
  const opponent = playerNames(snapshot)[1 - me];
  if (view.to_move === me) return { text: firstMove(opponent, time, left), choices: [] };
  const reason = seats[view.to_move] ? OVERDUE.notBegun(opponent) : OVERDUE.hasLeft(opponent);
  if (overdue.may === MAY.abort) {
    if (left > 0) return { text: `${reason} ${OVERDUE.canAbort(time)}`, choices: [] };
    return { text: reason, choices: [[OVERDUE.abort, { type: SENT.abort, answers }]] };
  }
  if (left > 0) return { text: `${reason} ${OVERDUE.canClaim(time)}`, choices: [] };
  return {
    text: reason,
    choices: [
      [OVERDUE.claimVictory, { type: SENT.claim, result: CLAIM.victory, answers }],
      [OVERDUE.claimDraw, { type: SENT.claim, result: CLAIM.draw, answers }],
    ],
  };
}

/**
 * Return the text for the player who must make a first move.
 *
 * @param {string} opponent
 * @param {string} time
 * @param {number} left
 */
function firstMove(opponent, time, left) {
  if (left <= 0) return OVERDUE.begin(opponent);
  return OVERDUE.beginWithin(time);
}

export class OverduePanel {
  box = el("div", { class: "requests", "data-testid": "overdue" });
  #text = el("p");
  #choices = el("div", { class: "row", role: "status" });
  #notice = el("div", { class: "notice stack" }, this.#text, this.#choices);
  /** @type {Snapshot | null} */
  #snapshot = null;
  /** @type {Presence | null} */
  #presence = null;
  #receivedAt = 0;
  #turn = 0;
  #shown = "";

  /**
   * @param {(message: ClientMessage) => void} send
   * @param {() => void} onFocusLost called after the focused element was removed
   */
  constructor(send, onFocusLost) {
    this.send = send;
    this.onFocusLost = onFocusLost;
    setInterval(() => this.#show(), REFRESH_MS);
  }

  /**
   * Handle a message from the server; a repeated message changes nothing.
   *
   * @param {Snapshot} snapshot
   * @param {Presence} presence
   */
  update(snapshot, presence) {
    if (presence !== this.#presence) {
      this.#receivedAt = performance.now();
      this.#turn = snapshot.turn;
    }
    this.#snapshot = snapshot;
    this.#presence = presence;
    this.#show();
  }

  #show() {
    const notice = this.#current();
    const text = notice?.text ?? "";
    if (this.#text.textContent !== text) this.#text.textContent = text;
    const choices = notice?.choices ?? [];
    const shown = JSON.stringify([notice !== null, choices]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const buttons = choices.map(([label, message]) => {
      const key = label.toLowerCase().replaceAll(" ", "-");
      return button(label, () => this.send(message), { "data-key": key, "data-testid": key });
    });
    const isFocusKept = refill(this.#choices, buttons);
    this.#choices.hidden = !buttons.length;
    this.box.replaceChildren(...(notice ? [this.#notice] : []));
    if (!isFocusKept) this.onFocusLost();
  }

  #current() {
    if (!this.#snapshot || !this.#presence || this.#snapshot.turn !== this.#turn) return null;
    const elapsed = performance.now() - this.#receivedAt;
    return overdueNotice(this.#snapshot, this.#presence, elapsed);
  }
}
