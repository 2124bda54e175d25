// Requests that wait for an answer: to take a move back, or to replace a computer player.

import { button, el, refill } from "./dom.js";
import { LEVELS, OTHER_PLAYERS } from "./game_options.js";
import { isOver, mySeat, playerNames } from "./game_state.js";
import { SENT } from "./protocol.js";
import { GAME, REQUESTS } from "./strings.js";

/** @import { Child } from "./dom.js" */
/** @import { ClientMessage, Snapshot } from "./protocol.js" */
/**
 * `onWithdraw` is called when the player withdraws a request, `onFocusLost` after the focused
 * element was removed.
 *
 * @typedef {{
 *   send: (message: ClientMessage) => void, onWithdraw: () => void, onFocusLost: () => void,
 * }} Callbacks
 */

export class RequestsPanel {
  /** The requests. */
  box = el("div", { class: "requests" });
  /** The notice for spectators, in the place of the choices. */
  spectatorBox = el("div", { class: "requests" });
  /** @type {HTMLElement[]} */
  #shown = [];
  /** @type {HTMLElement | undefined} */
  #watching;

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
      requests.length === before.length && requests.every((request, at) => request === before[at]);
    this.#shown = requests;
    if (!isSame && !refill(this.box, requests)) this.onFocusLost();
    const notice = this.#spectatorNotice(snapshot);
    if (notice !== this.spectatorBox.firstChild) refill(this.spectatorBox, notice);
  }

  /** @param {Snapshot} snapshot */
  #spectatorNotice(snapshot) {
    if (isOver(snapshot) || snapshot.seats.length) return null;
    this.#watching ??= el("p", { class: "muted" }, GAME.watching);
    return this.#watching;
  }

  /**
   * @param {Snapshot} snapshot
   * @returns {HTMLElement[]}
   */
  #requests(snapshot) {
    const { status } = snapshot;
    const me = mySeat(snapshot);
    const requests = [];
    if (status.failed && !isOver(snapshot)) requests.push(this.#failure(snapshot, status.failed));
    if (me !== null && status.takeback === 1 - me)
      requests.push(this.#opponentRequest(snapshot, me));
    if (me !== null && status.takeback === me) requests.push(this.#ownRequest());
    return requests;
  }

  /**
   * Return the request to replace a computer player that cannot continue.
   *
   * @param {Snapshot} snapshot
   * @param {string} why
   */
  #failure({ seats }, why) {
    const options = [...LEVELS, ...OTHER_PLAYERS].map(([value, label]) =>
      el("option", { value }, label),
    );
    const choice = el(
      "select",
      { "aria-label": REQUESTS.whoTakesOver, "data-key": "level" },
      options,
    );
    const take = () => this.send({ type: SENT.level, level: choice.value });
    const props = { "data-key": "take-over", "data-testid": "take-over" };
    const text = `${why} ${REQUESTS.waits}`;
    return question(text, seats.length > 0 && [choice, button(REQUESTS.takeOver, take, props)]);
  }

  /**
   * @param {Snapshot} snapshot
   * @param {number} me
   */
  #opponentRequest(snapshot, me) {
    const name = playerNames(snapshot)[1 - me];
    const allow = () => this.send({ type: SENT.agree, answers: snapshot.turn });
    const decline = () => this.send({ type: SENT.decline });
    return question(
      REQUESTS.asks(name),
      button(REQUESTS.allow, allow, { "data-key": "allow", "data-testid": "takeback-allow" }),
      button(REQUESTS.decline, decline, {
        "data-key": "decline",
        "data-testid": "takeback-decline",
      }),
    );
  }

  #ownRequest() {
    const withdraw = button(REQUESTS.withdraw, this.onWithdraw, { "data-key": "decline" });
    return question(REQUESTS.youAsked, withdraw);
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
