// One game at this page: it takes what the server says, and sends what the player wants.

import { pagePath } from "./api.js";
import { showConnectionStatus } from "./connection_status.js";
import { firstPromise } from "./fairness_line.js";
import { applyUpdate, describeNews } from "./game_state.js";
import { GameView } from "./game_view.js";
import { LiveConnection } from "./live_connection.js";
import { showNotFound } from "./not_found.js";
import { RECEIVED, SENT } from "./protocol.js";
import { savedSeat, saveSeat } from "./saved_seats.js";

/**
 * @import {
 *   ClientMessage, Looked, Refused, ServerMessage, Snapshot, Update
 * } from "./protocol.js"
 */
/** @import { GameData } from "./game_view.js" */
/** @import { ConnectionState } from "./live_connection.js" */

const NOT_ACCEPTED =
  "Your seat was not accepted, so you are watching. Reload the page to try again.";

export class GameSession {
  /** @type {GameData} */
  #data;
  #hasWithdrawn = false;
  #view;
  #connection;

  /**
   * @param {HTMLElement} page
   * @param {Snapshot} snapshot
   * @param {string | null} secret
   */
  constructor(page, snapshot, secret) {
    this.page = page;
    const presence = { type: RECEIVED.presence, seats: [false, false], watching: 0 };
    this.#data = { snapshot, presence, promised: firstPromise(snapshot) };
    this.#view = new GameView(page, this.#data, {
      send: (message) => this.#send(message),
      withdraw: () => this.#withdraw(),
      follow: (id) => this.#follow(id),
    });
    this.#connection = new LiveConnection(snapshot.id, secret, {
      onMessage: (message) => this.#receive(message),
      onState: (connection) => this.#connectionChanged(connection),
    });
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    if (message.type === RECEIVED.snapshot) this.#replace(message);
    else if (message.type === RECEIVED.update) this.#update(message);
    else if (message.type === RECEIVED.presence) {
      this.#data = { ...this.#data, presence: message };
      this.#view.showPlayers(this.#data);
    } else if (message.type === RECEIVED.evaluation) {
      this.#data = { ...this.#data, evaluation: message };
      this.#view.showEvaluation(this.#data);
    } else if (message.type === RECEIVED.hint) this.#view.showHint(message.said);
    else if (message.type === RECEIVED.looked) this.#looked(message);
    else if (message.type === RECEIVED.refused) this.#refused(message);
  }

  /** @param {Snapshot} snapshot */
  #replace(snapshot) {
    const hasMoved = this.#data.snapshot.turn !== snapshot.turn;
    this.#data = { ...this.#data, snapshot };
    const isStuck = this.#view.pending !== null; // the answer was lost with the connection
    this.#view.show(this.#data, hasMoved || isStuck);
  }

  /** @param {Update} update */
  #update(update) {
    const before = this.#data.snapshot;
    const after = applyUpdate(before, update);
    if (!after) return;
    this.#data = { ...this.#data, snapshot: after };
    const hasMoved = after.turn !== before.turn;
    const news = describeNews(before, after, this.#hasWithdrawn);
    if (news !== null) this.#view.showNews(news);
    this.#hasWithdrawn = false;
    if (hasMoved) {
      this.#view.showHint("");
      this.#view.showNotice("");
    }
    this.#view.show(this.#data, hasMoved);
    const { next } = after.status;
    if (next && !before.status.next && after.seats.length) this.#follow(next);
  }

  /**
   * Show the hand of the player to move; the next move replaces it by what both may see.
   *
   * @param {Looked} message
   */
  #looked({ turn, view }) {
    const { snapshot } = this.#data;
    if (turn !== snapshot.turn) return;
    this.#data = { ...this.#data, snapshot: { ...snapshot, view } };
    this.#view.show(this.#data, true);
    this.#view.lift();
  }

  /** @param {Refused} message */
  #refused({ why, code, reply }) {
    const isMove = reply !== undefined && reply === this.#view.pending;
    if (isMove) this.#view.refuseMove(why, code);
    else this.#view.showNotice(why);
  }

  /** @param {ConnectionState} connection */
  #connectionChanged(connection) {
    if (connection === "gone") showNotFound(this.page, "This game does not exist any more.");
    else if (connection === "refused") {
      this.#connection?.watch();
      this.#view.showNotice(NOT_ACCEPTED);
    } else showConnectionStatus(connection);
  }

  /**
   * Send a message. Returns its number, or null without a connection.
   *
   * @param {ClientMessage} message
   */
  #send(message) {
    const number = this.#connection?.send(message) ?? null;
    this.#view.showNews("");
    this.#view.showNotice(number ? "" : "You are not connected. Nothing was sent.");
    return number;
  }

  #withdraw() {
    this.#hasWithdrawn = true;
    this.#send({ type: SENT.decline });
  }

  /**
   * Go to the game that follows. The same secret opens it.
   *
   * @param {string} next
   */
  #follow(next) {
    const seat = savedSeat(this.#data.snapshot.id);
    if (seat) saveSeat(next, { secret: seat.secret, title: seat.title });
    location.assign(pagePath(next));
  }
}
