// The queue of states from the server: each move is shown before the next.

/** @import { Snapshot, Status } from "./protocol.js" */
/**
 * `show(snapshot, hasMoved)` returns the duration of the animation in milliseconds. `isStill`
 * returns whether animations are off, so that no state has to wait.
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

const PAUSE_MS = 250;
const MAX_WAITING_STATES = 3;

export class StateQueue {
  /** The state on the screen. */
  shown;
  /** The last state from the server. */
  newest;
  /** @type {Snapshot[]} The states to show later, oldest first. */
  #waiting = [];
  /** @type {any} It runs during an animation. */
  #timer = null;
  #show;
  #isStill;
  #timers;

  /**
   * @param {Snapshot} first the state that is already on the screen
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

  /** True if the screen is behind the last state from the server. */
  get isBehind() {
    return this.#waiting.length > 0;
  }

  /**
   * Add the state after an update. A move waits for its turn; other changes are shown at once.
   *
   * @param {Snapshot} next
   * @param {boolean} [isAnswer] whether it answers the player, who should not wait for it
   */
  add(next, isAnswer = false) {
    const before = this.newest;
    this.newest = next;
    if (this.#isStill() || next.moves.length < before.moves.length) this.catchUp();
    else if (next.turn === before.turn) this.#change(next);
    else if (!this.isBehind && (isAnswer || this.#timer === null)) this.#play(next);
    else {
      this.#waiting.push(next);
      if (this.#waiting.length > MAX_WAITING_STATES) this.catchUp();
      else this.#showStatus();
    }
  }

  /**
   * Show the current state, and drop the waiting states.
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
   * Return a snapshot with the newest clocks, names and requests, but with its own result.
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
      this.#timer = this.#timers.setTimeout(() => this.#playNext(), duration + PAUSE_MS);
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
