// The guided first game: the coached moves of a rules page, as far as the game follows them.

import { readText, storeText } from "./browser_storage.js";
import { MODE, OTHER_PLAYER } from "./protocol.js";
import { savedName } from "./saved_seats.js";

/** @import { CoachedMove, NewGame, Snapshot } from "./protocol.js" */
/** @typedef {{ move: string, why: string, at: number, of: number }} Coached */

const SEALED = "?";
const SKIPPED_KEY = "duelbook.unguided"; // the game in which the guide was skipped last
let skippedNow = "";

/**
 * @param {string} slug
 * @returns {NewGame}
 */
export function guidedGame(slug) {
  const opponent = { mode: MODE.computer, level: OTHER_PLAYER.guide };
  return { book: slug, ...opponent, seat: 0, first: 0, name: savedName(), help: true };
}

/**
 * Whether the player wants no more coaching in a game.
 *
 * @param {string} id
 */
export function isSkipped(id) {
  return (readText(SKIPPED_KEY) ?? skippedNow) === id;
}

/** @param {string} id */
export function skip(id) {
  skippedNow = id;
  storeText(SKIPPED_KEY, id);
}

/**
 * Whether this is a first game: the opponent is the guide, and the learner begins as Player 1.
 *
 * @param {Snapshot} snapshot
 */
export function isGuided({ status, seats, first }) {
  const isLearner = seats.length === 1 && seats[0] === 0 && first === 0;
  return isLearner && status.chairs[1].level === OTHER_PLAYER.guide;
}

/**
 * The move that the guide coaches next; "left" once the game has gone another way, or "done".
 *
 * @param {CoachedMove[]} steps
 * @param {string[]} moves those of the game so far, as the learner knows them
 * @returns {Coached | "left" | "done" | null} null while the opponent is to move
 */
export function coachedMove(steps, moves) {
  let made = 0;
  for (const [number, { move, why, replies }] of steps.entries()) {
    if (made === moves.length) return { move, why, at: number + 1, of: steps.length };
    for (const expected of [move, ...replies]) {
      if (made === moves.length) return null;
      if (!isSame(expected, moves[made])) return "left";
      made += 1;
    }
  }
  return "done";
}

/**
 * Whether a move is the expected one, as far as it is known: `attack ?` may be any attack.
 *
 * @param {string} expected
 * @param {string} known
 */
function isSame(expected, known) {
  if (!known.endsWith(SEALED)) return expected === known;
  return expected.startsWith(known.slice(0, -SEALED.length));
}
