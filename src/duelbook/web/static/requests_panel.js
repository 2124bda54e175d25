// What waits for an answer: a move to take back, an open seat, a friend to invite.

import { button, el, refill } from "./dom.js";
import { isOver, isWaiting, mySeat, playerNames } from "./game_state.js";
import { invitation, openSeatForm } from "./invite.js";
import { SENT } from "./protocol.js";

/** @import { Child } from "./dom.js" */
/** @import { ClientMessage, Snapshot } from "./protocol.js" */
/**
 * `onWithdraw` is called when the player no longer asks, `onFocusLost` when the focus was here and
 * what had it is gone.
 *
 * @typedef {{
 *   send: (message: ClientMessage) => void, onWithdraw: () => void, onFocusLost: () => void,
 * }} Callbacks
 */

export class RequestsPanel {
  box = el("div", { class: "requests" });
  /** @type {HTMLElement[]} */
  #shown = [];
  /** @type {HTMLElement | undefined} */
  #invitation;
  /** @type {HTMLElement | undefined} */
  #openSeat;

  /** @param {Callbacks} callbacks */
  constructor({ send, onWithdraw, onFocusLost }) {
    this.send = send;
    this.onWithdraw = onWithdraw;
    this.onFocusLost = onFocusLost;
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    const requests = this.#requests(snapshot);
    const before = this.#shown;
    const isSame =
      requests.length === before.length && requests.every((one, at) => one === before[at]);
    this.#shown = requests;
    if (!isSame && !refill(this.box, requests)) this.onFocusLost();
  }

  /**
   * @param {Snapshot} snapshot
   * @returns {HTMLElement[]}
   */
  #requests(snapshot) {
    const { status, seats, id } = snapshot;
    const me = mySeat(snapshot);
    const canJoin = isWaiting(snapshot) && !isOver(snapshot);
    const requests = [];
    if (me !== null && status.takeback === 1 - me) requests.push(this.#askedByOther(snapshot, me));
    if (me !== null && status.takeback === me) requests.push(this.#askedByMe());
    if (me !== null && canJoin) {
      this.#invitation ??= invitation(id);
      requests.push(this.#invitation);
    }
    if (!seats.length && canJoin) {
      this.#openSeat ??= openSeatForm(snapshot);
      requests.push(this.#openSeat);
    }
    if (!seats.length && !isWaiting(snapshot)) {
      requests.push(el("p", { class: "soft" }, "You are watching this game."));
    }
    return requests;
  }

  /**
   * @param {Snapshot} snapshot
   * @param {number} me
   */
  #askedByOther(snapshot, me) {
    const name = playerNames(snapshot)[1 - me];
    const allow = () => this.send({ type: SENT.agree, answers: snapshot.turn });
    const decline = () => this.send({ type: SENT.decline });
    return question(
      `${name} asks to take the last move back.`,
      button("Allow it", allow, { "data-key": "allow", "data-testid": "takeback-allow" }),
      button("Decline", decline, { "data-key": "decline", "data-testid": "takeback-decline" }),
    );
  }

  #askedByMe() {
    const withdraw = button("Ask no longer", this.onWithdraw, { "data-key": "decline" });
    return question("You asked to take your last move back.", withdraw);
  }
}

/**
 * @param {string} text
 * @param {Child[]} answers
 */
function question(text, ...answers) {
  const row = el("div", { class: "row" }, answers);
  return el("div", { class: "notice stack", role: "status" }, el("p", {}, text), row);
}
