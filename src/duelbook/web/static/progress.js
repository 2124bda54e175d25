// The results of finished games in this browser.

import { readText, storeText } from "./browser_storage.js";
import { CHAIR, ENDED_BY, OTHER_PLAYER } from "./protocol.js";
import { PROGRESS } from "./strings.js";

/** @import { Seat, Status } from "./protocol.js" */
/** @typedef {"won" | "lost" | "drawn"} PlayedResult */
/**
 * A game that was played to its end. A friend has no level.
 *
 * @typedef {{
 *   id: string, book: string, title: string, level: string, result: PlayedResult, when: number,
 * }} Played
 */
/** @typedef {{ id: string, book: string, title: string, seats: Seat[], status: Status }} Game */

const KEY = "duelbook.progress";
const FORMAT = "duelbook-progress";
const VERSION = 1;
const MAX_TEXT_LENGTH = 100;
const RESULTS = ["won", "lost", "drawn"];

/**
 * All games, latest first.
 *
 * @returns {Played[]}
 */
export function playedGames() {
  try {
    const stored = parseProgress(readText(KEY) ?? "");
    return stored.toSorted((a, b) => b.when - a.when);
  } catch {
    return [];
  }
}

/**
 * The games against a level since some time, latest first.
 *
 * @param {string} book
 * @param {string} level
 * @param {number} since
 */
export const playedAt = (book, level, since) =>
  playedGames().filter((game) => game.book === book && game.level === level && game.when >= since);

/**
 * The result of a game for its player, or null if it continues, was aborted, guided or watched, or
 * two played it at one device.
 *
 * @param {Game} game
 * @param {number} [when]
 * @returns {Played | null}
 */
export function playedGame({ id, book, title, seats, status }, when = Date.now()) {
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
  const played = playedGame(game);
  if (!played || playedGames().some(({ id }) => id === played.id)) return;
  write([...playedGames(), played]);
}

/** @param {Played[]} games */
const write = (games) => storeText(KEY, progressText(games));

/**
 * Games as one file.
 *
 * @param {Played[]} games
 */
export function progressText(games) {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, games })}\n`;
}

/**
 * The games of a file. A file that is not right is refused whole, with a sentence.
 *
 * @param {string} text
 * @returns {Played[]}
 */
export function parseProgress(text) {
  /** @type {any} */
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error(PROGRESS.notOurs);
  }
  if (read?.format !== FORMAT || !Array.isArray(read.games)) throw new Error(PROGRESS.notOurs);
  if (read.version !== VERSION) throw new Error(PROGRESS.otherVersion);
  return read.games.map((/** @type {any} */ game, /** @type {number} */ at) => {
    if (!isPlayed(game)) throw new Error(PROGRESS.wrongGame(at + 1));
    const { id, book, title, level, result, when } = game;
    return { id, book, title, level, result, when };
  });
}

/** @param {any} game */
function isPlayed(game) {
  const texts = [game?.id, game?.book, game?.title, game?.level];
  const areTexts = texts.every(
    (text) => typeof text === "string" && text.length <= MAX_TEXT_LENGTH,
  );
  return areTexts && RESULTS.includes(game.result) && Number.isFinite(game.when);
}

/**
 * Add the games of a file to the stored ones, without duplicates. Returns the number of new games.
 *
 * @param {string} text
 */
export function importProgress(text) {
  const read = new Map(parseProgress(text).map((game) => [game.id, game]));
  const stored = playedGames();
  for (const { id } of stored) read.delete(id);
  if (read.size) write([...stored, ...read.values()]);
  return read.size;
}

/**
 * How often each opponent of a game was beaten, in the order of the levels.
 *
 * @param {Played[]} games
 * @param {string[]} levels
 */
export function tally(games, levels) {
  const order = [...levels, ""];
  const rank = (/** @type {string} */ level) =>
    order.includes(level) ? order.indexOf(level) : order.length;
  const found = new Map();
  for (const { level, result } of games) {
    const row = found.get(level) ?? { level, won: 0, lost: 0, drawn: 0 };
    row[/** @type {PlayedResult} */ (result)] += 1;
    found.set(level, row);
  }
  return [...found.values()].sort((a, b) => rank(a.level) - rank(b.level));
}
