// The results of finished games in this browser.

import { readText, storeText } from "./browser_storage.js";
import { CHAIR, ENDED_BY, OTHER_PLAYER } from "./protocol.js";
import { PROGRESS } from "./strings.js";

/** @import { Seat, Status } from "./protocol.js" */
/** @typedef {"won" | "lost" | "drawn"} GameResult */
/**
 * A finished game. A friend has no level.
 *
 * @typedef {{
 *   id: string, book: string, title: string, level: string, result: GameResult, when: number,
 * }} FinishedGame
 */
/** @typedef {{ id: string, book: string, title: string, seats: Seat[], status: Status }} Game */

const KEY = "duelbook.progress";
const FORMAT = "duelbook-progress";
const VERSION = 1;
const MAX_TEXT_LENGTH = 100;
const RESULTS = ["won", "lost", "drawn"];

/**
 * Return all finished games, latest first.
 *
 * @returns {FinishedGame[]}
 */
export function finishedGames() {
  try {
    const stored = parseProgress(readText(KEY) ?? "");
    return stored.toSorted((a, b) => b.when - a.when);
  } catch {
    return [];
  }
}

/**
 * Return the finished games against a level since some time, latest first.
 *
 * @param {string} book
 * @param {string} level
 * @param {number} since
 */
export const finishedAgainst = (book, level, since) =>
  finishedGames().filter(
    (game) => game.book === book && game.level === level && game.when >= since,
  );

/**
 * Return the result of a game for its player. It is null for a game that continues or was aborted,
 * for a guided game, and for spectators and two players at one device.
 *
 * @param {Game} game
 * @param {number} [when]
 * @returns {FinishedGame | null}
 */
export function finishedGame({ id, book, title, seats, status }, when = Date.now()) {
  const { result, chairs } = status;
  if (!result || result.by === ENDED_BY.aborted || seats.length !== 1) return null;
  const [me] = seats;
  const other = chairs[1 - me];
  const level = other.kind === CHAIR.computer ? (other.level ?? "") : "";
  if (level === OTHER_PLAYER.guide) return null;
  const won = result.winner === me ? "won" : "lost";
  return { id, book, title, level, result: result.winner === null ? "drawn" : won, when };
}

/**
 * Store the result of a game once.
 *
 * @param {Game} game
 */
export function noteResult(game) {
  const finished = finishedGame(game);
  if (!finished || finishedGames().some(({ id }) => id === finished.id)) return;
  write([...finishedGames(), finished]);
}

/** @param {FinishedGame[]} games */
const write = (games) => storeText(KEY, progressText(games));

/**
 * Return the games as the text of a file.
 *
 * @param {FinishedGame[]} games
 */
export function progressText(games) {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, games })}\n`;
}

/**
 * Return the games of a file; throw an error with a sentence if the file is not valid.
 *
 * @param {string} text
 * @returns {FinishedGame[]}
 */
export function parseProgress(text) {
  /** @type {any} */
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error(PROGRESS.notOurs);
  }
  if (data?.format !== FORMAT || !Array.isArray(data.games)) throw new Error(PROGRESS.notOurs);
  if (data.version !== VERSION) throw new Error(PROGRESS.otherVersion);
  return data.games.map((/** @type {any} */ game, /** @type {number} */ at) => {
    if (!isFinishedGame(game)) throw new Error(PROGRESS.wrongGame(at + 1));
    const { id, book, title, level, result, when } = game;
    return { id, book, title, level, result, when };
  });
}

/** @param {any} game */
function isFinishedGame(game) {
  const texts = [game?.id, game?.book, game?.title, game?.level];
  const areTexts = texts.every(
    (text) => typeof text === "string" && text.length <= MAX_TEXT_LENGTH,
  );
  return areTexts && RESULTS.includes(game.result) && Number.isFinite(game.when);
}

/**
 * Add the games of a file to the stored ones, and return the number of new games.
 *
 * @param {string} text
 */
export function importProgress(text) {
  const added = new Map(parseProgress(text).map((game) => [game.id, game]));
  const stored = finishedGames();
  for (const { id } of stored) added.delete(id);
  if (added.size) write([...stored, ...added.values()]);
  return added.size;
}

/**
 * Return the number of wins, losses and draws against each opponent, in the order of the levels.
 *
 * @param {FinishedGame[]} games
 * @param {string[]} levels
 */
export function tally(games, levels) {
  const order = [...levels, ""];
  const rank = (/** @type {string} */ level) =>
    order.includes(level) ? order.indexOf(level) : order.length;
  const rows = new Map();
  for (const { level, result } of games) {
    const row = rows.get(level) ?? { level, won: 0, lost: 0, drawn: 0 };
    row[/** @type {GameResult} */ (result)] += 1;
    rows.set(level, row);
  }
  return [...rows.values()].sort((a, b) => rank(a.level) - rank(b.level));
}
