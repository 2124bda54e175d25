// The preferences of the player in this browser.

import { readJson, storeText } from "./browser_storage.js";
import { finishedAgainst, finishedGames } from "./progress.js";
import { LEVEL } from "./protocol.js";

/** @typedef {{ level: string, when: number }} ChosenLevel */

const LEVELS_KEY = "duelbook.levels";
const WINS_TO_ADVANCE = 2;
/** @type {string[]} */
const LEVEL_ORDER = Object.values(LEVEL);

/** @type {() => Record<string, ChosenLevel>} */
const readLevels = () => readJson(LEVELS_KEY) ?? {};

/**
 * Return the level for the player in a game: easy the first time, then the last choice, and the
 * next level after two wins in a row.
 *
 * @param {string} book
 * @returns {string}
 */
export function levelFor(book) {
  const { level, when } = readLevels()[book] ?? { level: LEVEL.easy, when: 0 };
  const latest = finishedAgainst(book, level, when).slice(0, WINS_TO_ADVANCE);
  const hasMastered =
    latest.length === WINS_TO_ADVANCE && latest.every(({ result }) => result === "won");
  const next = LEVEL_ORDER.includes(level)
    ? LEVEL_ORDER[LEVEL_ORDER.indexOf(level) + 1]
    : undefined;
  return (hasMastered && next) || level;
}

/**
 * Return whether the player has never played this game in this browser.
 *
 * @param {string} book
 */
export const isNew = (book) =>
  !readLevels()[book] && !finishedGames().some((game) => game.book === book);

/**
 * Store the chosen level. Only games since then count for the next level.
 *
 * @param {string} book
 * @param {string} level
 */
export function storeLevel(book, level) {
  const levels = readLevels();
  if (levels[book]?.level === level && levelFor(book) === level) return;
  const chosen = { level, when: Date.now() };
  storeText(LEVELS_KEY, JSON.stringify({ ...levels, [book]: chosen }));
}
