// The preferences of the player in this browser.

import { readJson, storeText } from "./browser_storage.js";
import { playedAt, playedGames } from "./progress.js";
import { LEVEL } from "./protocol.js";

/** @typedef {{ level: string, when: number }} Chosen */

const LEVELS_KEY = "duelbook.levels";
const WINS_TO_MASTER = 2;
/** @type {string[]} */
const LADDER = Object.values(LEVEL);

/** @type {() => Record<string, Chosen>} */
const readLevels = () => readJson(LEVELS_KEY) ?? {};

/**
 * The level that suits the player in a game: easy the first time, then their last choice, and
 * the next one up after two wins in a row.
 *
 * @param {string} book
 * @returns {string}
 */
export function levelFor(book) {
  const { level, when } = readLevels()[book] ?? { level: LEVEL.easy, when: 0 };
  const latest = playedAt(book, level, when).slice(0, WINS_TO_MASTER);
  const isMastered =
    latest.length === WINS_TO_MASTER && latest.every(({ result }) => result === "won");
  const next = LADDER.includes(level) ? LADDER[LADDER.indexOf(level) + 1] : undefined;
  return (isMastered && next) || level;
}

/**
 * Whether the player has never played a game in this browser.
 *
 * @param {string} book
 */
export const isNew = (book) =>
  !readLevels()[book] && !playedGames().some((played) => played.book === book);

/**
 * Store the chosen level. Only games since then count for the next level.
 *
 * @param {string} book
 * @param {string} level
 */
export function rememberLevel(book, level) {
  const levels = readLevels();
  if (levels[book]?.level === level && levelFor(book) === level) return;
  const chosen = { level, when: Date.now() };
  storeText(LEVELS_KEY, JSON.stringify({ ...levels, [book]: chosen }));
}
