// What waits for an answer: a move to take back, an open seat, a friend to invite.

import { button, el, refill } from "./dom.js";
import { LEVELS, OTHERS } from "./game_options.js";
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
    if (status.failed && !isOver(snapshot)) requests.push(this.#failure(snapshot, status.failed));
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
   * The computer cannot go on: a player may let another one take over.
   *
   * @param {Snapshot} snapshot
   * @param {string} why
   */
  #failure({ seats }, why) {
    const options = [...LEVELS, ...OTHERS].map(([value, label]) => el("option", { value }, label));
    const choice = el("select", { "aria-label": "Who takes over", "data-key": "level" }, options);
    const take = () => this.send({ type: SENT.level, level: choice.value });
    const props = { "data-key": "take-over", "data-testid": "take-over" };
    const text = `${why} The game waits: another computer player can take over.`;
    return question(text, seats.length > 0 && [choice, button("Let it take over", take, props)]);
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
