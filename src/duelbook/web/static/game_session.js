// The session of one game: it receives messages from the server and sends those of the player.

import { pagePath } from "./api.js";
import { showConnectionStatus, showNothingSent } from "./connection_status.js";
import { loadFirstCommitment } from "./fairness_line.js";
import { applyUpdate, describeNews, isOver, mySeat } from "./game_state.js";
import { GameView } from "./game_view.js";
import { NOWHERE, placesOf, storedLastMove, storeLastMove } from "./last_move.js";
import { LiveConnection } from "./live_connection.js";
import { moveEvents } from "./move_events.js";
import { showNotFound } from "./not_found.js";
import { RECEIVED, SENT } from "./protocol.js";
import { savedSeat, saveSeat } from "./saved_seats.js";
import { Sounds, showSoundSwitch } from "./sounds.js";
import { StateQueue } from "./state_queue.js";
import { HINTS, OFFLINE, PAGE } from "./strings.js";

/**
 * @import {
 *   ClientMessage, Hint, PrivateView, Refused, ServerMessage, Snapshot, Update, View
 * } from "./protocol.js"
 */
/** @import { GameData } from "./game_view.js" */
/** @import { Places } from "./last_move.js" */
/** @import { MoveEvent } from "./move_events.js" */
/** @import { ConnectionState } from "./live_connection.js" */
/** @typedef {{ places: Places, events: MoveEvent[] }} MoveEffects */

/** @type {MoveEffects} */
const NO_EFFECTS = { places: NOWHERE, events: [] };

export class GameSession {
  /** @type {GameData} The data on the screen. */
  #data;
  /** @type {Hint | null} A hint for a position that is not on the screen yet. */
  #earlyHint = null;
  /** @type {WeakMap<View, MoveEffects>} The effects of the move that led to each view. */
  #lastMoves = new WeakMap();
  /** @type {number | null} The number of the last request for a hint. */
  #hintRequest = null;
  #hasWithdrawn = false;
  #sounds = new Sounds();
  #view;
  #states;
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
    this.#lastMoves.set(snapshot.view, { places: lastMove, events: [] });
    const firstCommitment = loadFirstCommitment(snapshot);
    this.#data = { snapshot, newest: snapshot, presence, firstCommitment, lastMove };
    this.#view = new GameView(page, this.#data, {
      send: (message) => this.#send(message),
      withdraw: () => this.#withdraw(),
      follow: (id) => this.#follow(id),
    });
    if (isOver(snapshot) && snapshot.seats.length) this.#view.announceEnd();
    showSoundSwitch(this.#sounds);
    const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
    this.#states = new StateQueue(snapshot, {
      show: (next, hasMoved) => this.#show(next, hasMoved),
      isStill: () => document.hidden || reducedMotion.matches,
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && this.#states.isBehind) this.#states.catchUp();
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
    } else if (message.type === RECEIVED.hint) this.#showHint(message);
    else if (message.type === RECEIVED.looked) this.#showPrivateView(message);
    else if (message.type === RECEIVED.refused) this.#showRefusal(message);
  }

  /** @param {Snapshot} snapshot */
  #replace(snapshot) {
    this.#noteLastMove(this.#states.newest, snapshot);
    this.#states.replace(snapshot);
    // The answer to a move was lost with the connection: ask the player again.
    if (this.#view.pending !== null) this.#view.show(this.#data, true);
  }

  /** @param {Update} update */
  #update(update) {
    const before = this.#states.newest;
    const after = applyUpdate(before, update);
    if (!after) return;
    this.#noteLastMove(before, after);
    this.#states.add(after, update.reply !== undefined);
    const { next } = after.status;
    if (next && !before.status.next && after.seats.length) this.#follow(next);
  }

  /**
   * @param {Snapshot} before
   * @param {Snapshot} after
   */
  #noteLastMove(before, after) {
    if (after.view === before.view) return;
    const known = this.#lastMoves.get(before.view) ?? NO_EFFECTS;
    const lastMove = after.turn === before.turn ? known : moveEffects(before, after);
    this.#lastMoves.set(after.view, lastMove);
    storeLastMove(after, lastMove.places);
  }

  /**
   * Show the next state, and return the duration of its animation.
   *
   * @param {Snapshot} after
   * @param {boolean} hasMoved
   */
  #show(after, hasMoved) {
    const before = this.#data.snapshot;
    const news = describeNews(before, after, this.#hasWithdrawn);
    const { places, events } = this.#lastMoves.get(after.view) ?? NO_EFFECTS;
    const { newest } = this.#states;
    this.#data = { ...this.#data, snapshot: after, newest, lastMove: places };
    if (news !== null) this.#view.showNews(news);
    this.#hasWithdrawn = false;
    if (hasMoved) {
      this.#view.advice.showHint("");
      this.#view.showNotice("");
    }
    this.#view.show(this.#data, hasMoved);
    if (this.#earlyHint?.turn === after.turn) this.#showHint(this.#earlyHint);
    const duration = hasMoved
      ? this.#view.play(events, (...sound) => this.#sounds.play(...sound))
      : 0;
    if (isOver(after) && !isOver(before)) this.#announceEnd(duration);
    return duration;
  }

  /** @param {number} delay the milliseconds until the animation of the last move ends */
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
   * Show a hint, or store it until the screen shows its position.
   *
   * @param {Hint} message
   */
  #showHint(message) {
    const isEarly = message.turn !== this.#states.shown.turn;
    this.#earlyHint = isEarly ? message : null;
    if (!isEarly) this.#view.advice.showHint(message.said, message.move);
  }

  /**
   * Show the private view of the player to move; the next move replaces it with the common view.
   *
   * @param {PrivateView} message
   */
  #showPrivateView({ turn, view }) {
    const { newest } = this.#states;
    if (turn !== newest.turn) return;
    const privateState = { ...newest, view };
    this.#noteLastMove(newest, privateState);
    this.#states.replace(privateState);
    this.#view.openCurtain();
  }

  /** @param {Refused} message */
  #showRefusal({ why, code, reply }) {
    const isMove = reply !== undefined && reply === this.#view.pending;
    if (reply !== undefined && reply === this.#hintRequest) this.#view.advice.showHint("");
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
   * Send a message, and return its number, or null without a connection. Messages other than moves
   * refer to the newest state, even if the screen does not show it yet.
   *
   * @param {ClientMessage} message
   */
  #send(message) {
    const isLate = this.#states.isBehind && message.type !== SENT.play && "answers" in message;
    const outgoing = isLate ? { ...message, answers: this.#states.newest.turn } : message;
    const number = this.#connection?.send(outgoing) ?? null;
    this.#view.showNews("");
    this.#view.showNotice("");
    if (number === null) showNothingSent();
    if (number && message.type === SENT.hint) {
      this.#hintRequest = number;
      this.#view.advice.showHint(HINTS.thinking);
    }
    return number;
  }

  #withdraw() {
    this.#hasWithdrawn = true;
    this.#send({ type: SENT.decline });
  }

  /**
   * Open the next game, which has the same secret.
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
 * Return the effects of the single move between two snapshots.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {MoveEffects}
 */
function moveEffects(before, after) {
  if (after.moves.length !== before.moves.length + 1) return NO_EFFECTS;
  const [old, current] = [before, after].map(({ view, moves, movers }) => ({
    ...view,
    moves,
    movers,
  }));
  const move = current.moves[current.moves.length - 1];
  return { places: placesOf(old.scene, current.scene, move), events: moveEvents(old, current) };
}
