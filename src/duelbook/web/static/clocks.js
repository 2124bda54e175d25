// Clocks that run on between two messages. The server alone decides when time is up.

import { formatClock } from "./text_format.js";

/** @import { Clocks, Seat } from "./protocol.js" */

const LOW = 10_000;
const REFRESH = 200;

/**
 * The milliseconds that a seat has left, some time after the server said so.
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
    setInterval(() => this.show(), REFRESH);
  }

  /**
   * Take a message of the server; the same message twice changes nothing.
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
      face.classList.toggle("low", left < LOW);
    });
  }
}
