// Clocks that run between two messages. Only the server decides when the time is up.

import { formatClock } from "./text_format.js";

/** @import { Clocks, Seat } from "./protocol.js" */

const LOW_TIME_MS = 10_000;
const REFRESH_MS = 200;

/**
 * Return the remaining milliseconds of a seat, `elapsed` milliseconds after the server's message.
 *
 * @param {Clocks} clocks
 * @param {Seat} seat
 * @param {number} elapsed
 */
export function timeLeft({ left, running }, seat, elapsed) {
  return Math.max(0, left[seat] - (running === seat ? elapsed : 0));
}

export class ClockDisplay {
  /** @type {(HTMLElement | null)[]} The element that shows each seat's clock. */
  faces = [null, null];
  /** @type {Clocks | undefined} */
  #clocks;
  #receivedAt = 0;

  constructor() {
    setInterval(() => this.show(), REFRESH_MS);
  }

  /**
   * Handle a message from the server; a repeated message changes nothing.
   *
   * @param {Clocks | undefined} clocks
   */
  update(clocks) {
    if (clocks !== this.#clocks) {
      this.#clocks = clocks;
      this.#receivedAt = performance.now();
    }
    this.show();
  }

  show() {
    const clocks = this.#clocks;
    if (!clocks) return;
    const elapsed = performance.now() - this.#receivedAt;
    this.faces.forEach((face, seat) => {
      if (!face) return;
      const left = timeLeft(clocks, seat, elapsed);
      const text = formatClock(left);
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle("low-time", left < LOW_TIME_MS);
    });
  }
}
