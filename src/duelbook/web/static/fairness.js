// Check the chance moves of a game: they follow from a seed that the server committed to before it.
// The server's counterpart of this file is chance.py; tests/web/games/test_chance.py compares them.

import { CHANCE } from "./protocol.js";
import { hashHex, hashNumber } from "./sha256.js";
import { FAIRNESS } from "./strings.js";

/** @import { Drawn, Draws, Snapshot } from "./protocol.js" */
/**
 * The commitment that this page saw first, and whether that was before the end.
 *
 * @typedef {{ commitment: string, isEarly: boolean }} Promised
 */

const ALL_HASHES = 1n << 256n;
const HIDDEN = "?";

/**
 * The chance outcome that a seed draws, from the outcomes, their weights and the turn.
 *
 * @param {Drawn} drawn
 * @param {string} seed
 */
export function drawFromSeed({ turn, moves, weights }, seed) {
  const sizes = weights.map(BigInt);
  const total = sizes.reduce((sum, weight) => sum + weight, 0n);
  if (total <= 0n) return null;
  for (let tries = 0; ; tries++) {
    const number = hashNumber(`${seed} ${turn} ${tries}`);
    if (number < ALL_HASHES - (ALL_HASHES % total)) return moves[place(sizes, number % total)];
  }
}

/**
 * The index of the weight that contains a number.
 *
 * @param {bigint[]} weights
 * @param {bigint} number
 */
function place(weights, number) {
  let end = 0n;
  return weights.findIndex((weight) => {
    end += weight;
    return number < end;
  });
}

/**
 * The sentence about the draws of a finished game.
 *
 * @param {Pick<Snapshot, "moves" | "movers">} snapshot
 * @param {Promised} promised
 * @param {Draws} draws
 * @param {Drawn[]} drawn
 */
export function checkDraws({ moves, movers }, { commitment, isEarly }, draws, drawn) {
  const { seed = "", since = 0 } = draws;
  if (draws.commitment !== commitment) {
    return unfair(FAIRNESS.replaced);
  }
  if (hashHex(seed) !== commitment) {
    return unfair(FAIRNESS.notPromised);
  }
  const known = new Map(drawn.map((draw) => [draw.turn, draw]));
  const turns = movers.flatMap((mover, turn) => (mover === CHANCE && turn >= since ? [turn] : []));
  const wrong = turns.find((turn) => !fits(moves[turn], known.get(turn), seed));
  if (wrong !== undefined) {
    return unfair(FAIRNESS.doesNotFollow(wrong + 1, moves[wrong]));
  }
  if (!turns.length) return null;
  return { isFair: true, text: FAIRNESS.fair(turns.length, isEarly) };
}

/** @param {string} why */
function unfair(why) {
  return { isFair: false, text: FAIRNESS.unfair(why) };
}

/**
 * Whether a seed draws a move, as far as this page knows the move.
 *
 * @param {string} seen
 * @param {Drawn | undefined} drawn
 * @param {string} seed
 */
function fits(seen, drawn, seed) {
  const move = drawn ? drawFromSeed(drawn, seed) : null;
  if (move === null) return false;
  return seen.endsWith(HIDDEN) ? move.startsWith(seen.slice(0, -1).trim()) : move === seen;
}
