// Checks that the chance outcomes of a game follow from the seed that the server committed to.
// The server's counterpart of this file is chance.py; tests/web/games/test_chance.py compares them.

import { CHANCE } from "./protocol.js";
import { hashHex, hashNumber } from "./sha256.js";
import { FAIRNESS } from "./strings.js";

/** @import { ChanceDraw, Draws, Snapshot } from "./protocol.js" */
/**
 * The commitment that this page saw first, and whether that was before the end.
 *
 * @typedef {{ commitment: string, isEarly: boolean }} FirstCommitment
 */

const ALL_HASHES = 1n << 256n;
const HIDDEN = "?";

/**
 * Return the chance outcome that a seed draws.
 *
 * @param {ChanceDraw} draw
 * @param {string} seed
 */
export function drawFromSeed({ turn, moves, weights }, seed) {
  const sizes = weights.map(BigInt);
  const total = sizes.reduce((sum, weight) => sum + weight, 0n);
  if (total <= 0n) return null;
  for (let tries = 0; ; tries++) {
    const number = hashNumber(`${seed} ${turn} ${tries}`);
    if (number < ALL_HASHES - (ALL_HASHES % total))
      return moves[indexOfWeight(sizes, number % total)];
  }
}

/**
 * Return the index of the weight that contains a number.
 *
 * @param {bigint[]} weights
 * @param {bigint} number
 */
function indexOfWeight(weights, number) {
  let end = 0n;
  return weights.findIndex((weight) => {
    end += weight;
    return number < end;
  });
}

/**
 * Check the chance outcomes of a finished game, and return a sentence about them.
 *
 * @param {Pick<Snapshot, "moves" | "movers">} snapshot
 * @param {FirstCommitment} firstCommitment
 * @param {Draws} draws
 * @param {ChanceDraw[]} chanceDraws
 */
export function checkDraws({ moves, movers }, { commitment, isEarly }, draws, chanceDraws) {
  const { seed = "", since = 0 } = draws;
  if (draws.commitment !== commitment) {
    return unfair(FAIRNESS.replaced);
  }
  if (hashHex(seed) !== commitment) {
    return unfair(FAIRNESS.notPromised);
  }
  const drawAt = new Map(chanceDraws.map((draw) => [draw.turn, draw]));
  const turns = movers.flatMap((mover, turn) => (mover === CHANCE && turn >= since ? [turn] : []));
  const wrong = turns.find((turn) => !matches(moves[turn], drawAt.get(turn), seed));
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
 * Return whether a seed draws a move, as far as this page knows the move.
 *
 * @param {string} seen
 * @param {ChanceDraw | undefined} draw
 * @param {string} seed
 */
function matches(seen, draw, seed) {
  const move = draw ? drawFromSeed(draw, seed) : null;
  if (move === null) return false;
  return seen.endsWith(HIDDEN) ? move.startsWith(seen.slice(0, -1).trim()) : move === seen;
}
