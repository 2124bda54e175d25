// Shows the moves from the server one after the other, each before the next.

/** @import { Snapshot, Status } from "./protocol.js" */
/**
 * `show(snapshot, hasMoved)` returns how many milliseconds the move takes to play out. `isStill`
 * says whether nothing moves: then nobody has to wait.
 *
 * @typedef {{
 *   show: (snapshot: Snapshot, hasMoved: boolean) => number, isStill: () => boolean,
 * }} Callbacks
 */
/**
 * @typedef {{
 *   setTimeout: (call: () => void, delay: number) => any, clearTimeout: (timer: any) => void,
 * }} Timers
 */

const PAUSE = 250;
const MAX_WAITING = 3; // more than that is a backlog, and old news

export class Staging {
  /** The state on the screen. */
  shown;
  /** The last state from the server. */
  newest;
  /** @type {Snapshot[]} What is still to be shown, oldest first. */
  #waiting = [];
  /** @type {any} It runs while a move plays out. */
  #timer = null;
  #show;
  #isStill;
  #timers;

  /**
   * @param {Snapshot} first what is on the screen already
   * @param {Callbacks} callbacks
   * @param {Timers} [timers]
   */
  constructor(first, { show, isStill }, timers = globalThis) {
    this.shown = first;
    this.newest = first;
    this.#show = show;
    this.#isStill = isStill;
    this.#timers = timers;
  }

  /** Whether the screen is behind the last state from the server. */
  get isBehind() {
    return this.#waiting.length > 0;
  }

  /**
   * Take what follows from an update: a move has its turn, and everything else is shown at once.
   *
   * @param {Snapshot} next
   * @param {boolean} [isAnswer] to what the player just did, who need not wait for it
   */
  add(next, isAnswer = false) {
    const before = this.newest;
    this.newest = next;
    if (this.#isStill() || next.moves.length < before.moves.length) this.catchUp();
    else if (next.turn === before.turn) this.#change(next);
    else if (!this.isBehind && (isAnswer || this.#timer === null)) this.#play(next);
    else {
      this.#waiting.push(next);
      if (this.#waiting.length > MAX_WAITING) this.catchUp();
      else this.#showStatus();
    }
  }

  /**
   * Take the current state, and drop the states that wait.
   *
   * @param {Snapshot} snapshot
   */
  replace(snapshot) {
    this.newest = snapshot;
    this.catchUp();
  }

  /** Show the last state from the server at once. */
  catchUp() {
    this.#waiting = [];
    this.#stop();
    const hasMoved = this.shown.turn !== this.newest.turn;
    this.shown = this.newest;
    this.#show(this.shown, hasMoved);
  }

  /** @param {Snapshot} next the same turn with another status or view */
  #change(next) {
    if (this.isBehind) {
      this.#waiting[this.#waiting.length - 1] = next;
      this.#showStatus();
    } else {
      this.shown = next;
      this.#show(next, false);
    }
  }

  #showStatus() {
    this.shown = this.#withNewestStatus(this.shown);
    this.#show(this.shown, false);
  }

  /**
   * Clocks, names and requests are those of now. The result comes with the move that brings it.
   *
   * @param {Snapshot} snapshot
   * @returns {Snapshot}
   */
  #withNewestStatus(snapshot) {
    /** @type {Status} */
    const status = { ...this.newest.status, result: snapshot.status.result };
    return { ...snapshot, status };
  }

  /** @param {Snapshot} next */
  #play(next) {
    this.#stop();
    this.shown = this.#withNewestStatus(next);
    let duration = 0;
    try {
      duration = this.#show(this.shown, true);
    } finally {
      this.#timer = this.#timers.setTimeout(() => this.#playNext(), duration + PAUSE);
    }
  }

  #playNext() {
    this.#timer = null;
    const next = this.#waiting.shift();
    if (next) this.#play(next);
  }

  #stop() {
    this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
