// The guided first game: the coached moves of a rules page, as far as the game follows them.

import { readText, storeText } from "./browser_storage.js";
import { MODE, OTHER_PLAYER } from "./protocol.js";
import { savedName } from "./saved_seats.js";

/** @import { CoachedMove, NewGame, Snapshot } from "./protocol.js" */
/** @typedef {{ move: string, why: string, at: number, of: number }} CoachedStep */

const HIDDEN_MARK = "?";
const SKIPPED_KEY = "duelbook.unguided"; // the last game in which the player skipped the guide
let skippedGame = "";

/**
 * @param {string} slug
 * @returns {NewGame}
 */
export function guidedGame(slug) {
  const opponent = { mode: MODE.computer, level: OTHER_PLAYER.guide };
  return { book: slug, ...opponent, seat: 0, first: 0, name: savedName(), help: true };
}

/**
 * Return whether the player has skipped the guide in a game.
 *
 * @param {string} id
 */
export function isSkipped(id) {
  return (readText(SKIPPED_KEY) ?? skippedGame) === id;
}

/** @param {string} id */
export function skip(id) {
  skippedGame = id;
  storeText(SKIPPED_KEY, id);
}

/**
 * Return whether a game is guided: the opponent is `guide`, and the learner is Player 1 and starts.
 *
 * @param {Snapshot} snapshot
 */
export function isGuided({ status, seats, first }) {
  const isLearner = seats.length === 1 && seats[0] === 0 && first === 0;
  return isLearner && status.chairs[1].level === OTHER_PLAYER.guide;
}

/**
 * Return the next coached move, "left" if the game has left the guide, or "done" at its end.
 *
 * @param {CoachedMove[]} steps
 * @param {string[]} moves the moves so far, as the learner sees them
 * @returns {CoachedStep | "left" | "done" | null} null while the opponent is to move
 */
export function coachedMove(steps, moves) {
  let played = 0;
  for (const [number, { move, why, replies }] of steps.entries()) {
    if (played === moves.length) return { move, why, at: number + 1, of: steps.length };
    for (const expected of [move, ...replies]) {
      if (played === moves.length) return null;
      if (!isSame(expected, moves[played])) return "left";
      played += 1;
    }
  }
  return "done";
}

/**
 * Return whether a visible move may be the expected one: `attack ?` may be any attack.
 *
 * @param {string} expected
 * @param {string} known
 */
function isSame(expected, known) {
  if (!known.endsWith(HIDDEN_MARK)) return expected === known;
  return expected.startsWith(known.slice(0, -HIDDEN_MARK.length));
}
