// How the games stand that this browser holds seats of.

import { CHAIR, CHANCE, ENDED_BY } from "./protocol.js";
import { STANDING } from "./strings.js";

/** @import { Standing } from "./protocol.js" */
/** @typedef {"mine" | "theirs" | "open" | "won" | "lost" | "over"} StandingKind */

/**
 * Whose turn it is, or who won, in words for the player.
 *
 * @param {Standing} standing
 * @returns {{ kind: StandingKind, text: string, opponent: string }}
 */
export function describeStanding(standing) {
  return { ...turnOrResult(standing), opponent: describeOpponent(standing) };
}

/**
 * @param {Standing} standing
 * @returns {{ kind: StandingKind, text: string }}
 */
function turnOrResult({ seats, to_move: mover, status }) {
  const names = status.chairs.map(({ name }, seat) => name || STANDING.player(seat + 1));
  const isAlone = seats.length === 1;
  const { result } = status;
  if (result?.by === ENDED_BY.aborted) return { kind: "over", text: STANDING.aborted };
  if (result && result.winner === null) return { kind: "over", text: STANDING.draw };
  if (result && result.winner !== null) {
    if (!isAlone) return { kind: "over", text: STANDING.won(names[result.winner]) };
    const isMine = seats.includes(result.winner);
    return isMine
      ? { kind: "won", text: STANDING.youWon }
      : { kind: "lost", text: STANDING.won(names[result.winner]) };
  }
  if (status.chairs.some(({ kind }) => kind === CHAIR.open))
    return { kind: "open", text: STANDING.open };
  if (mover === CHANCE) return { kind: "theirs", text: STANDING.chance };
  if (isAlone && seats.includes(mover)) return { kind: "mine", text: STANDING.yourTurn };
  return { kind: isAlone ? "theirs" : "mine", text: STANDING.turn(names[mover]) };
}

/** @param {Standing} standing */
function describeOpponent({ seats, status }) {
  if (seats.length > 1) return STANDING.device;
  const { kind, name } = status.chairs[1 - seats[0]];
  return kind === CHAIR.open ? "" : STANDING.against(name || STANDING.player(2 - seats[0]));
}

/** @type {Record<StandingKind, number>} */
const ORDER = { mine: 0, theirs: 1, open: 1, won: 2, lost: 2, over: 2 };

/**
 * Games in which the player is to move come first, those that are over last.
 *
 * @template {{ kind?: StandingKind, when: number }} Game
 * @param {Game[]} games
 * @returns {Game[]}
 */
export function inOrder(games) {
  const rank = (/** @type {Game} */ { kind }) => (kind ? ORDER[kind] : 1);
  return games.toSorted((a, b) => rank(a) - rank(b) || b.when - a.when);
}
