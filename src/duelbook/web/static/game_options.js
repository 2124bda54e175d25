// The options of a new game, and the request for it.

import { LEVEL, MODE, OTHER_PLAYER } from "./protocol.js";
import { SETUP, UPLOAD } from "./strings.js";

/** @import { Book, NewGame, TimeControl } from "./protocol.js" */
/** @typedef {(field: string) => string} FieldValue Returns the value of a field of a form. */

const labelled = (/** @type {string} */ name) => [name, name[0].toUpperCase() + name.slice(1)];
export const LEVELS = Object.values(LEVEL).map(labelled);
/** The computer players for games without levels. */
export const OTHER_PLAYERS = [
  [...labelled(OTHER_PLAYER.mcts), SETUP.mcts],
  [...labelled(OTHER_PLAYER.minimax), SETUP.minimax],
  [...labelled(OTHER_PLAYER.greedy), SETUP.greedy],
  [...labelled(OTHER_PLAYER.random), SETUP.random],
];
export const CUSTOM_CLOCK = "own";
export const CLOCKS = [
  ["", SETUP.noClock],
  ["60+0", SETUP.minutesEach(1)],
  ["180+2", SETUP.minutesAndSeconds(3, 2)],
  ["300+0", SETUP.minutesEach(5)],
  ["600+5", SETUP.minutesAndSeconds(10, 5)],
  [CUSTOM_CLOCK, SETUP.customClock],
];
export const STARTS = { me: "me", other: "other", chance: "chance" };

/**
 * Return the request of a form. If the book says that Player 1 starts, the first mover is Player 1.
 *
 * @param {Pick<Book, "slug" | "player_1_starts">} book
 * @param {FieldValue} value
 * @param {() => number} [random]
 * @returns {NewGame}
 */
export function newGame(book, value, random = Math.random) {
  const mode = value("mode");
  const isDevice = mode === MODE.device;
  const starts = value("begins");
  const byChance = starts === STARTS.chance && random() < 0.5;
  const second = starts === STARTS.other || byChance ? 1 : 0;
  return {
    book: book.slug,
    mode,
    seat: book.player_1_starts && !isDevice ? second : 0,
    first: book.player_1_starts ? 0 : second,
    name: value("name").trim(),
    ...(isDevice && { other: value("other").trim() }),
    ...(mode === MODE.computer && { level: value("level") }),
    clock: timeControl(value),
    help: value("help") === "on",
  };
}

/**
 * @param {FieldValue} value
 * @returns {TimeControl | null}
 */
function timeControl(value) {
  const clock = value("clock");
  if (!clock) return null;
  if (clock === CUSTOM_CLOCK) {
    const seconds = Math.round(Number(value("minutes")) * 60);
    return { seconds, increment: Math.round(Number(value("extra"))) };
  }
  const [seconds, increment] = clock.split("+").map(Number);
  return { seconds, increment };
}

/**
 * Return the slug of the game in a save.
 *
 * @param {string} save
 * @returns {string}
 */
export function bookOfSave(save) {
  try {
    const { game } = JSON.parse(save);
    if (typeof game === "string") return game;
  } catch {
    // The error below says so.
  }
  throw new Error(UPLOAD.notOurs);
}
