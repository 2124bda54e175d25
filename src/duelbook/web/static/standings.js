// The state of the player's games, for the list on the home page.

import { CHAIR, CHANCE, ENDED_BY } from "./protocol.js";
import { STANDING, STATE, WHO } from "./strings.js";

/** @import { SeatStatus } from "./protocol.js" */
/** @typedef {"my-turn" | "opponent-turn" | "open" | "won" | "lost" | "over"} StandingKind */

/**
 * Return the turn or the result of a game as text for the player.
 *
 * @param {SeatStatus} standing
 * @returns {{ kind: StandingKind, text: string, opponent: string }}
 */
export function describeStanding(standing) {
  return { ...turnOrResult(standing), opponent: describeOpponent(standing) };
}

/**
 * @param {SeatStatus} standing
 * @returns {{ kind: StandingKind, text: string }}
 */
function turnOrResult({ seats, to_move: mover, status }) {
  const names = status.chairs.map(({ name }, seat) => name || WHO.player(seat + 1));
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
  if (mover === CHANCE) return { kind: "opponent-turn", text: STATE.chance };
  if (isAlone && seats.includes(mover)) return { kind: "my-turn", text: STATE.yourTurn };
  return { kind: isAlone ? "opponent-turn" : "my-turn", text: STATE.isToMove(names[mover]) };
}

/** @param {SeatStatus} standing */
function describeOpponent({ seats, status }) {
  if (seats.length > 1) return STATE.atOneDevice;
  const { kind, name } = status.chairs[1 - seats[0]];
  return kind === CHAIR.open ? "" : STATE.against(name || WHO.player(2 - seats[0]));
}

/** @type {Record<StandingKind, number>} */
const ORDER = { "my-turn": 0, "opponent-turn": 1, open: 1, won: 2, lost: 2, over: 2 };

/**
 * Sort the games: those in which the player is to move first, finished games last.
 *
 * @template {{ kind?: StandingKind, when: number }} Game
 * @param {Game[]} games
 * @returns {Game[]}
 */
export function inOrder(games) {
  const rank = (/** @type {Game} */ { kind }) => (kind ? ORDER[kind] : 1);
  return games.toSorted((a, b) => rank(a) - rank(b) || b.when - a.when);
}
