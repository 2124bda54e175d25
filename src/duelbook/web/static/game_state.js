// Facts about a game, computed from its snapshot.

import { CHAIR, CHANCE, ENDED_BY } from "./protocol.js";
import { LOG, STATE, WHO } from "./strings.js";

/** @import { Evaluation, Mover, Presence, Result, Seat, Snapshot, Update } from "./protocol.js" */

/**
 * Return the snapshot after an update, or null if the update is older than the snapshot.
 *
 * @param {Snapshot} snapshot
 * @param {Update} update
 * @returns {Snapshot | null}
 */
export function applyUpdate(snapshot, update) {
  const { seq, turn, kept, moves = [], movers = [], told = [], said = [] } = update;
  if (seq <= snapshot.seq) return null;
  return {
    ...snapshot,
    seq,
    turn,
    moves: [...snapshot.moves.slice(0, kept), ...moves],
    movers: [...snapshot.movers.slice(0, kept), ...movers],
    told: [...snapshot.told.slice(0, kept), ...told],
    said: [...snapshot.said.slice(0, kept), ...said],
    status: update.status ?? snapshot.status,
    view: update.view ?? snapshot.view,
  };
}

/** @param {Snapshot} snapshot */
export function playerNames({ status }) {
  return status.chairs.map(({ name }, seat) => name || WHO.player(seat + 1));
}

/**
 * Return the name of a mover in a sentence: `you`, `the computer`, `Ann`, or `chance`.
 *
 * @param {Snapshot} snapshot
 * @param {Mover} mover
 */
export function moverName(snapshot, mover) {
  if (mover === CHANCE) return WHO.chance;
  if (mover === mySeat(snapshot)) return WHO.you;
  const { kind } = snapshot.status.chairs[mover];
  return kind === CHAIR.computer ? WHO.computer : playerNames(snapshot)[mover];
}

/**
 * Return the name of a mover at the start of a sentence. Names of players stay unchanged.
 *
 * @param {Snapshot} snapshot
 * @param {Mover} mover
 */
export function moverNameAtStart(snapshot, mover) {
  const name = moverName(snapshot, mover);
  const isName = name === playerNames(snapshot)[mover];
  return isName ? name : name[0].toUpperCase() + name.slice(1);
}

/**
 * Return the label of a shape that a player owns.
 *
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 * @param {string} label
 */
export function ownedLabel(snapshot, seat, label) {
  if (seat === mySeat(snapshot)) return WHO.ownedByYou(label);
  const isComputer = snapshot.status.chairs[seat].kind === CHAIR.computer;
  return WHO.owned(isComputer ? WHO.computerLabel : playerNames(snapshot)[seat], label);
}

/** @param {Snapshot} snapshot */
export const isOver = ({ status }) => Boolean(status.result);

/**
 * Return whether a seat is still open.
 *
 * @param {Snapshot} snapshot
 */
export const isWaiting = ({ status }) => status.chairs.some(({ kind }) => kind === CHAIR.open);

/**
 * Return whether the player at this page is to move.
 *
 * @param {Snapshot} snapshot
 */
export function isMyTurn(snapshot) {
  const { seats, view } = snapshot;
  return !isOver(snapshot) && !isWaiting(snapshot) && seats.includes(view.to_move);
}

/**
 * Return whether to hide the move, or private information, from the second player at this device.
 *
 * @param {Snapshot} snapshot
 */
export function needsCurtain(snapshot) {
  const { sealed, private: isPrivate } = snapshot.view;
  return isMyTurn(snapshot) && Boolean(sealed || isPrivate) && snapshot.seats.length > 1;
}

/**
 * Return whether the position has hidden information.
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
 * Return the seat of the only player at this page, or null.
 *
 * @param {Snapshot} snapshot
 */
export const mySeat = ({ seats }) => (seats.length === 1 ? seats[0] : null);

/**
 * Return whether the opponent is a person at another page.
 *
 * @param {Snapshot} snapshot
 */
export function isAgainstPerson(snapshot) {
  const me = mySeat(snapshot);
  return me !== null && snapshot.status.chairs[1 - me].kind === CHAIR.person;
}

/**
 * Return the opponent as text for the list of the player's games.
 *
 * @param {Snapshot} snapshot
 */
export function describeOpponent(snapshot) {
  if (snapshot.seats.length > 1) return STATE.atOneDevice;
  const me = mySeat(snapshot);
  if (me === null) return undefined;
  if (snapshot.status.chairs[1 - me].kind === CHAIR.open) return STATE.waitingForFriend;
  return STATE.against(playerNames(snapshot)[1 - me]);
}

/**
 * Return the state of the game as a heading, and the mover in it.
 *
 * @param {Snapshot} snapshot
 * @returns {{ text: string, seat: Mover | null }}
 */
export function describeState(snapshot) {
  const { view, status } = snapshot;
  if (status.result) return describeResult(snapshot, status.result);
  if (isWaiting(snapshot)) return { text: STATE.waiting, seat: null };
  if (view.to_move === CHANCE) return { text: STATE.chance, seat: CHANCE };
  const isMine = view.to_move === mySeat(snapshot);
  const text = isMine ? STATE.yourTurn : STATE.isToMove(moverNameAtStart(snapshot, view.to_move));
  return { text, seat: view.to_move };
}

/**
 * Return the winner as text, with the payoff if the game has scores.
 *
 * @param {Snapshot} snapshot
 * @param {Result} result
 */
function describeResult(snapshot, { winner, by, payoffs }) {
  if (by === ENDED_BY.aborted) return { text: STATE.aborted, seat: null };
  if (winner === null) return { text: STATE.draw, seat: winner };
  const wins =
    winner === mySeat(snapshot) ? STATE.youWin : STATE.wins(moverNameAtStart(snapshot, winner));
  return { text: payoffs ? `${wins} ${payoffs[winner]}` : wins, seat: winner };
}

/**
 * Return the last line of the log that this player may know.
 *
 * @param {Snapshot} snapshot
 */
export const describeLastMove = ({ said }) => said.filter(Boolean).at(-1) ?? "";

/**
 * Return the name on a player's card; `You` on the page of a player without a name.
 *
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 */
export function cardName(snapshot, seat) {
  return isNameless(snapshot, seat)
    ? moverNameAtStart(snapshot, seat)
    : playerNames(snapshot)[seat];
}

/**
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 */
const isNameless = (snapshot, seat) =>
  mySeat(snapshot) === seat && playerNames(snapshot)[seat] === WHO.player(seat + 1);

/**
 * Return the line below a player's name: `you, to move`, `away`, `winner`.
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
    mySeat(snapshot) === seat && !isNameless(snapshot, seat) && STATE.you,
    kind === CHAIR.open && STATE.notHere,
    isRemote && (presence.seats[seat] ? STATE.here : STATE.away),
    kind === CHAIR.computer && presence.preparing && STATE.preparing,
    hasTurn(snapshot, seat) && STATE.toMove,
    status.result?.winner === seat && STATE.winner,
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
 * Return the number of other spectators.
 *
 * @param {Snapshot} snapshot
 * @param {Presence} presence
 */
export function countSpectators({ seats }, { watching }) {
  return Math.max(0, watching - (seats.length ? 0 : 1));
}

/**
 * Return all lines of the log: who starts, the effect of each move, and the end of the game.
 *
 * @param {Snapshot} snapshot
 */
export function logTexts(snapshot) {
  const { title, first, said, status } = snapshot;
  const isMine = first === mySeat(snapshot);
  const begins = isMine ? LOG.youBegin : LOG.begins(moverNameAtStart(snapshot, first));
  const opening = isWaiting(snapshot) ? [LOG.welcome(title)] : [LOG.welcome(title), begins];
  return [opening.join(" "), ...said, status.result?.why ?? ""].filter(Boolean);
}

/**
 * Return the announcement of an update, or null if the previous one remains.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @param {boolean} hasWithdrawn whether the player has withdrawn the takeback request
 */
export function describeNews(before, after, hasWithdrawn) {
  if (after.turn !== before.turn) {
    return after.moves.length < before.moves.length ? STATE.takenBack : "";
  }
  const { takeback } = before.status;
  const isMine = takeback !== undefined && takeback === before.seats[0];
  if (!isMine || after.status.takeback === takeback || hasWithdrawn) return null;
  return STATE.noTakeback(moverNameAtStart(after, 1 - takeback));
}

/**
 * Return the evaluation if it is of this position and both players allow it, otherwise null. A
 * position with hidden information has none.
 *
 * @param {Snapshot} snapshot
 * @param {Evaluation | undefined} evaluation
 */
export function shownEvaluation(snapshot, evaluation) {
  const isAllowed = snapshot.status.help.every(Boolean);
  const isOpen = !isOver(snapshot) && !hasSecret(snapshot);
  return isAllowed && isOpen && evaluation?.turn === snapshot.turn ? evaluation : null;
}
