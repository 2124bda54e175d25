// What can be said of a game from its snapshot, without the page.

import { CHAIR, ENDED_BY, LUCK } from "./protocol.js";
import { forOthers, moverText, withNames } from "./text_format.js";

/** @import { Evaluation, Mover, Presence, Result, Seat, Snapshot, Update } from "./protocol.js" */

/**
 * A snapshot with an update added, or null if the update is older than the snapshot.
 *
 * @param {Snapshot} snapshot
 * @param {Update} update
 * @returns {Snapshot | null}
 */
export function applyUpdate(snapshot, update) {
  const { seq, turn, kept, moves = [], movers = [], told = [] } = update;
  if (seq <= snapshot.seq) return null;
  return {
    ...snapshot,
    seq,
    turn,
    moves: [...snapshot.moves.slice(0, kept), ...moves],
    movers: [...snapshot.movers.slice(0, kept), ...movers],
    told: [...snapshot.told.slice(0, kept), ...told],
    status: update.status ?? snapshot.status,
    view: update.view ?? snapshot.view,
  };
}

/** @param {Snapshot} snapshot */
export function playerNames({ status }) {
  return status.chairs.map(({ name }, seat) => name || `Player ${seat + 1}`);
}

/**
 * The name of whoever moves, which may be luck.
 *
 * @param {Snapshot} snapshot
 * @param {Mover} mover
 */
export const moverName = (snapshot, mover) => withNames(moverText(mover), playerNames(snapshot));

/** @param {Snapshot} snapshot */
export const isOver = ({ status }) => Boolean(status.result);

/**
 * Whether a seat is still open.
 *
 * @param {Snapshot} snapshot
 */
export const isWaiting = ({ status }) => status.chairs.some(({ kind }) => kind === CHAIR.open);

/**
 * Whether the player at this page is to move.
 *
 * @param {Snapshot} snapshot
 */
export function isMyTurn(snapshot) {
  const { seats, view } = snapshot;
  return !isOver(snapshot) && !isWaiting(snapshot) && seats.includes(view.to_move);
}

/**
 * Whether the move, or the hand of its player, must be hidden from the other player at this device.
 *
 * @param {Snapshot} snapshot
 */
export function needsCurtain(snapshot) {
  const { sealed, private: isPrivate } = snapshot.view;
  return isMyTurn(snapshot) && Boolean(sealed || isPrivate) && snapshot.seats.length > 1;
}

/**
 * Whether a player has made a choice that is not revealed yet.
 *
 * @param {Snapshot} snapshot
 */
export function hasSecret({ moves, view }) {
  return Boolean(moves[moves.length - 1]?.endsWith("?")) || hidesSomething(view.position);
}

/**
 * @param {unknown} value
 * @returns {boolean}
 */
function hidesSomething(value) {
  if (value === null || typeof value !== "object") return false;
  if ("hidden" in value && value.hidden === true) return true;
  return Object.values(value).some(hidesSomething);
}

/**
 * The seat of the only player at this page, or null.
 *
 * @param {Snapshot} snapshot
 */
export const mySeat = ({ seats }) => (seats.length === 1 ? seats[0] : null);

/**
 * Whom one plays, as the list of one's games says it.
 *
 * @param {Snapshot} snapshot
 */
export function describeOpponent(snapshot) {
  if (snapshot.seats.length > 1) return "at one device";
  const me = mySeat(snapshot);
  if (me === null) return undefined;
  if (snapshot.status.chairs[1 - me].kind === CHAIR.open) return "waiting for a friend";
  return `against ${playerNames(snapshot)[1 - me]}`;
}

/**
 * The state of the game as its heading says it, with the mover that it is about.
 *
 * @param {Snapshot} snapshot
 * @returns {{ text: string, seat: Mover | null }}
 */
export function describeState(snapshot) {
  const { view, status } = snapshot;
  if (status.result) return describeResult(status.result, playerNames(snapshot));
  if (isWaiting(snapshot)) return { text: "Waiting for the other player", seat: null };
  if (view.to_move === LUCK) return { text: "Luck decides", seat: LUCK };
  const isMine = isMyTurn(snapshot) && mySeat(snapshot) !== null;
  const text = isMine ? "Your turn" : `${moverName(snapshot, view.to_move)} is to move`;
  return { text, seat: view.to_move };
}

/**
 * Who has won, and how much if the game has scores.
 *
 * @param {Result} result
 * @param {string[]} names
 */
function describeResult({ winner, payoffs }, names) {
  if (winner === null) return { text: "The game is a draw", seat: winner };
  const score = payoffs ? ` ${payoffs[winner]}` : "";
  return { text: `${names[winner]} wins${score}`, seat: winner };
}

/** @param {Snapshot} snapshot */
export function describeLastMove(snapshot) {
  const { moves, movers } = snapshot;
  if (!moves.length) return "";
  const last = moves.length - 1;
  return `Last move: ${moverName(snapshot, movers[last])}, ${moves[last]}`;
}

/**
 * What stands below a player's name: `you, to move`, `away`, `winner`.
 *
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 * @param {Presence} presence
 */
export function describePlayer(snapshot, seat, presence) {
  const { status, seats } = snapshot;
  const { kind } = status.chairs[seat];
  const isRemote = kind === CHAIR.person && !seats.includes(seat);
  return [
    mySeat(snapshot) === seat && "you",
    kind === CHAIR.open && "not here yet",
    isRemote && (presence.seats[seat] ? "here" : "away"),
    kind === CHAIR.computer && presence.preparing && "preparing",
    hasTurn(snapshot, seat) && "to move",
    status.result?.winner === seat && "winner",
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 */
export function hasTurn(snapshot, seat) {
  return !isOver(snapshot) && !isWaiting(snapshot) && snapshot.view.to_move === seat;
}

/**
 * How many others watch.
 *
 * @param {Snapshot} snapshot
 * @param {Presence} presence
 */
export function countSpectators({ seats }, { watching }) {
  return Math.max(0, watching - (seats.length ? 0 : 1));
}

/**
 * Everything that the log tells, in the server's words.
 *
 * @param {Snapshot} snapshot
 */
export function logTexts(snapshot) {
  const { welcome, moves, movers, told, seats } = snapshot;
  const happened = told.map((text, at) => {
    const seat = movers[at];
    const isTold = seat === LUCK || seats.includes(seat);
    const heard = isTold ? text : forOthers(text, seat);
    return `${moverText(seat)}: ${moves[at]}\n${heard.replace(/^\n+/, "")}`;
  });
  return [welcome, ...happened, turnText(snapshot), endText(snapshot)];
}

/**
 * The words that open a turn are for the player who has it.
 *
 * @param {Snapshot} snapshot
 */
function turnText(snapshot) {
  const { turn, to_move: seat } = snapshot.view;
  if (isWaiting(snapshot) || !turn) return "";
  return isMyTurn(snapshot) ? turn : `${moverText(seat)} is to move.`;
}

/**
 * How a game ended, where the book itself did not say so.
 *
 * @param {Snapshot} snapshot
 */
function endText({ status }) {
  const { winner, by } = status.result ?? { winner: null, by: ENDED_BY.play };
  if (by === ENDED_BY.agreement) return "The players agree on a draw.";
  if (by === ENDED_BY.cut) return "The game is cut off at its limit, and is a draw.";
  if (winner === null || by === ENDED_BY.play || by === ENDED_BY.draw) return "";
  const why = by === ENDED_BY.time ? "has no time left" : "resigns";
  return `Player ${2 - winner} ${why}.\nPlayer ${winner + 1} wins.`;
}

/**
 * What a player is told of an update; null where what was told before still holds.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @param {boolean} hasWithdrawn whether the player no longer asks to take a move back
 */
export function describeNews(before, after, hasWithdrawn) {
  if (after.turn !== before.turn) {
    return after.moves.length < before.moves.length ? "The last move was taken back." : "";
  }
  const { takeback } = before.status;
  const isMine = takeback !== undefined && takeback === before.seats[0];
  if (!isMine || after.status.takeback === takeback || hasWithdrawn) return null;
  return `${playerNames(after)[1 - takeback]} does not want to take the move back.`;
}

/**
 * The evaluation, where it may be shown: both sides allow it, and it is of this position. Nobody
 * can evaluate a position with a secret in it.
 *
 * @param {Snapshot} snapshot
 * @param {Evaluation | undefined} evaluation
 */
export function shownEvaluation(snapshot, evaluation) {
  const isAllowed = snapshot.status.help.every(Boolean);
  const isOpen = !isOver(snapshot) && !hasSecret(snapshot);
  return isAllowed && isOpen && evaluation?.turn === snapshot.turn ? evaluation : null;
}
