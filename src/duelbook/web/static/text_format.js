// Formats of texts: times, days, and letters in a grid.

import { HOME, TIME } from "./strings.js";

/**
 * Return whether a text is a drawing with letters, which needs a fixed-width font.
 *
 * @param {string} text
 */
export function isPreformatted(text) {
  return /^\s*[|+]|^ {2,}\S|^(\S{1,2} +){2,}\S{1,2}$/m.test(text);
}

/**
 * Return the time on a clock: `1:02:03`, `4:05`, and tenths of a second when it is low.
 *
 * @param {number} milliseconds
 */
export function formatClock(milliseconds) {
  if (milliseconds < 10_000) return (Math.floor(milliseconds / 100) / 10).toFixed(1);
  const seconds = Math.ceil(milliseconds / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/**
 * Return a time in words: `1 minute 30 seconds`.
 *
 * @param {number} milliseconds
 */
export function formatDuration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  return [minutes && TIME.minutes(minutes), seconds % 60 && TIME.seconds(seconds % 60)]
    .filter(Boolean)
    .join(" ");
}

/**
 * Return the day of a time, for a list of games.
 *
 * @param {number} time
 * @param {number} [now]
 */
export function formatDay(time, now = Date.now()) {
  const date = new Date(time);
  const today = date.toDateString() === new Date(now).toDateString();
  return today ? HOME.today : date.toLocaleDateString([], { day: "numeric", month: "short" });
}
