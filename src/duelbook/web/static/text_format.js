// Texts for people: names, numbers and times in them.

import { LUCK } from "./protocol.js";

/** @import { Mover, Seat } from "./protocol.js" */

/**
 * Put the players' names into a text of the server, which calls them by their seats.
 *
 * @param {string} text
 * @param {string[]} names
 */
export function withNames(text, names) {
  return text.replace(/\bPlayer ([12])\b/g, (_, number) => names[Number(number) - 1]);
}

/**
 * Who moves, as the server's texts say it.
 *
 * @param {Mover} mover
 */
export const moverText = (mover) => (mover === LUCK ? "Luck" : `Player ${mover + 1}`);

/**
 * Turn what a book says to the player who moves into what everybody else reads:
 * there, `Your` is that player's.
 *
 * @param {string} text
 * @param {Seat} seat
 */
export function forOthers(text, seat) {
  return text
    .replace(/\byour\b/gi, `Player ${seat + 1}'s`)
    .replace(/\b(the )?opponent's\b/gi, `Player ${2 - seat}'s`);
}

/**
 * Whether a text draws something with letters, which must then stand below each other.
 *
 * @param {string} text
 */
export function isPreformatted(text) {
  return /^\s*[|+]|^ {2,}\S|^(\S{1,2} +){2,}\S{1,2}$/m.test(text);
}

/**
 * A text without the empty lines around it.
 *
 * @param {string} text
 */
export function trimLines(text) {
  return text.trimEnd().replace(/^\n+/, "");
}

/**
 * `1 move`, `2 moves`.
 *
 * @param {number} number
 * @param {string} thing
 */
export function plural(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

/**
 * The time on a clock: `1:02:03`, `4:05`, and tenths of a second when it is low.
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
 * A time in words: `1 minute 30 seconds`.
 *
 * @param {number} milliseconds
 */
export function formatDuration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  return [minutes && plural(minutes, "minute"), seconds % 60 && plural(seconds % 60, "second")]
    .filter(Boolean)
    .join(" ");
}

/**
 * The day of a time, as a list of games says it.
 *
 * @param {number} time
 * @param {number} [now]
 */
export function formatDay(time, now = Date.now()) {
  const date = new Date(time);
  const today = date.toDateString() === new Date(now).toDateString();
  return today ? "Today" : date.toLocaleDateString([], { day: "numeric", month: "short" });
}
