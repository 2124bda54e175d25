// The session of one game: receives messages of the server, and sends those of the player.

import { pagePath } from "./api.js";
import { showConnectionStatus, showNothingSent } from "./connection_status.js";
import { firstPromise } from "./fairness_line.js";
import { applyUpdate, describeNews, isOver, mySeat } from "./game_state.js";
import { GameView } from "./game_view.js";
import { NOWHERE, placesOf, storedLastMove, storeLastMove } from "./last_move.js";
import { LiveConnection } from "./live_connection.js";
import { momentsOf } from "./moments.js";
import { showNotFound } from "./not_found.js";
import { RECEIVED, SENT } from "./protocol.js";
import { savedSeat, saveSeat } from "./saved_seats.js";
import { Sounds, showSoundSwitch } from "./sounds.js";
import { Staging } from "./staging.js";
import { HINTS, OFFLINE, PAGE } from "./strings.js";

/**
 * @import {
 *   ClientMessage, Hint, Looked, Refused, ServerMessage, Snapshot, Update, View
 * } from "./protocol.js"
 */
/** @import { GameData } from "./game_view.js" */
/** @import { Places } from "./last_move.js" */
/** @import { Moment } from "./moments.js" */
/** @import { ConnectionState } from "./live_connection.js" */
/** @typedef {{ places: Places, moments: Moment[] }} MoveSeen */

/** @type {MoveSeen} */
const UNSEEN = { places: NOWHERE, moments: [] };

export class GameSession {
  /** @type {GameData} What is on the screen. */
  #data;
  /** @type {Hint | null} For a position that is not on the screen yet. */
  #earlyHint = null;
  /** @type {WeakMap<View, MoveSeen>} The move that led to what is seen. */
  #lastMoves = new WeakMap();
  /** @type {number | null} The number of the last message that asked for a hint. */
  #hintAsked = null;
  #hasWithdrawn = false;
  #sounds = new Sounds();
  #view;
  #staging;
  #connection;

  /**
   * @param {HTMLElement} page
   * @param {Snapshot} snapshot
   * @param {string | null} secret
   */
  constructor(page, snapshot, secret) {
    this.page = page;
    const presence = { type: RECEIVED.presence, seats: [false, false], watching: 0 };
    const lastMove = storedLastMove(snapshot);
    this.#lastMoves.set(snapshot.view, { places: lastMove, moments: [] });
    const promised = firstPromise(snapshot);
    this.#data = { snapshot, newest: snapshot, presence, promised, lastMove };
    this.#view = new GameView(page, this.#data, {
      send: (message) => this.#send(message),
      withdraw: () => this.#withdraw(),
      follow: (id) => this.#follow(id),
    });
    if (isOver(snapshot) && snapshot.seats.length) this.#view.announceEnd();
    showSoundSwitch(this.#sounds);
    const stillness = matchMedia("(prefers-reduced-motion: reduce)");
    this.#staging = new Staging(snapshot, {
      show: (next, hasMoved) => this.#show(next, hasMoved),
      isStill: () => document.hidden || stillness.matches,
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && this.#staging.isBehind) this.#staging.catchUp();
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
    } else if (message.type === RECEIVED.hint) this.#hint(message);
    else if (message.type === RECEIVED.looked) this.#looked(message);
    else if (message.type === RECEIVED.refused) this.#refused(message);
  }

  /** @param {Snapshot} snapshot */
  #replace(snapshot) {
    this.#noteLastMove(this.#staging.newest, snapshot);
    this.#staging.replace(snapshot);
    // The answer to a move was lost with the connection: the player is asked again.
    if (this.#view.pending !== null) this.#view.show(this.#data, true);
  }

  /** @param {Update} update */
  #update(update) {
    const before = this.#staging.newest;
    const after = applyUpdate(before, update);
    if (!after) return;
    this.#noteLastMove(before, after);
    this.#staging.add(after, update.reply !== undefined);
    const { next } = after.status;
    if (next && !before.status.next && after.seats.length) this.#follow(next);
  }

  /**
   * @param {Snapshot} before
   * @param {Snapshot} after
   */
  #noteLastMove(before, after) {
    if (after.view === before.view) return;
    const known = this.#lastMoves.get(before.view) ?? UNSEEN;
    const lastMove = after.turn === before.turn ? known : moveSeen(before, after);
    this.#lastMoves.set(after.view, lastMove);
    storeLastMove(after, lastMove.places);
  }

  /**
   * Show the next state. Returns the duration of its animation.
   *
   * @param {Snapshot} after
   * @param {boolean} hasMoved
   */
  #show(after, hasMoved) {
    const before = this.#data.snapshot;
    const news = describeNews(before, after, this.#hasWithdrawn);
    const { places, moments } = this.#lastMoves.get(after.view) ?? UNSEEN;
    const { newest } = this.#staging;
    this.#data = { ...this.#data, snapshot: after, newest, lastMove: places };
    if (news !== null) this.#view.showNews(news);
    this.#hasWithdrawn = false;
    if (hasMoved) {
      this.#view.advice.showHint("");
      this.#view.showNotice("");
    }
    this.#view.show(this.#data, hasMoved);
    if (this.#earlyHint?.turn === after.turn) this.#hint(this.#earlyHint);
    const lasts = hasMoved ? this.#view.play(moments, (...cue) => this.#sounds.play(...cue)) : 0;
    if (isOver(after) && !isOver(before)) this.#announceEnd(lasts);
    return lasts;
  }

  /** @param {number} delay the milliseconds that the last move still plays */
  #announceEnd(delay) {
    const { snapshot } = this.#data;
    const winner = snapshot.status.result?.winner ?? null;
    const me = mySeat(snapshot);
    const isLost = me !== null && winner !== me;
    this.#sounds.play(winner === null ? "draw" : isLost ? "lose" : "win", delay);
    if (delay) setTimeout(() => this.#view.announceEnd(), delay);
    else this.#view.announceEnd();
  }

  /**
   * A hint waits for the position that it is about.
   *
   * @param {Hint} message
   */
  #hint(message) {
    const isEarly = message.turn !== this.#staging.shown.turn;
    this.#earlyHint = isEarly ? message : null;
    if (!isEarly) this.#view.advice.showHint(message.said, message.move);
  }

  /**
   * Show the private view of the player to move; the next move replaces it by the common view.
   *
   * @param {Looked} message
   */
  #looked({ turn, view }) {
    const { newest } = this.#staging;
    if (turn !== newest.turn) return;
    const looked = { ...newest, view };
    this.#noteLastMove(newest, looked);
    this.#staging.replace(looked);
    this.#view.lift();
  }

  /** @param {Refused} message */
  #refused({ why, code, reply }) {
    const isMove = reply !== undefined && reply === this.#view.pending;
    if (reply !== undefined && reply === this.#hintAsked) this.#view.advice.showHint("");
    if (isMove) this.#view.refuseMove(why, code);
    else this.#view.showNotice(why);
  }

  /** @param {ConnectionState} connection */
  #connectionChanged(connection) {
    if (connection === "gone") showNotFound(this.page, PAGE.gameGone);
    else if (connection === "refused") {
      this.#connection?.watch();
      this.#view.showNotice(OFFLINE.notAccepted);
    } else showConnectionStatus(connection);
  }

  /**
   * Send a message. Returns its number, or null without a connection. Messages other than moves
   * refer to the newest state, even if the screen does not show its last move yet.
   *
   * @param {ClientMessage} message
   */
  #send(message) {
    const isLate = this.#staging.isBehind && message.type !== SENT.play && "answers" in message;
    const meant = isLate ? { ...message, answers: this.#staging.newest.turn } : message;
    const number = this.#connection?.send(meant) ?? null;
    this.#view.showNews("");
    this.#view.showNotice("");
    if (number === null) showNothingSent();
    if (number && message.type === SENT.hint) {
      this.#hintAsked = number;
      this.#view.advice.showHint(HINTS.thinking);
    }
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

/**
 * The effects of the single move between two snapshots.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {MoveSeen}
 */
function moveSeen(before, after) {
  if (after.moves.length !== before.moves.length + 1) return UNSEEN;
  const [was, is] = [before, after].map(({ view, moves, movers }) => ({ ...view, moves, movers }));
  const move = is.moves[is.moves.length - 1];
  return { places: placesOf(was.scene, is.scene, move), moments: momentsOf(was, is) };
}
