// The options of a new game, and the request to the server.

import { LEVEL, MODE, OTHER_PLAYER } from "./protocol.js";
import { SETUP, UPLOAD } from "./strings.js";

/** @import { Book, NewGame, TimeControl } from "./protocol.js" */
/** @typedef {(field: string) => string} Answers What was answered in each field of a form. */

const labelled = (/** @type {string} */ name) => [name, name[0].toUpperCase() + name.slice(1)];
export const LEVELS = Object.values(LEVEL).map(labelled);
/** The computer players for games without levels. */
export const OTHERS = [
  [...labelled(OTHER_PLAYER.mcts), SETUP.mcts],
  [...labelled(OTHER_PLAYER.minimax), SETUP.minimax],
  [...labelled(OTHER_PLAYER.greedy), SETUP.greedy],
  [...labelled(OTHER_PLAYER.random), SETUP.random],
];
export const OWN_CLOCK = "own";
export const CLOCKS = [
  ["", SETUP.noClock],
  ["60+0", SETUP.minutesEach(1)],
  ["180+2", SETUP.minutesAndSeconds(3, 2)],
  ["300+0", SETUP.minutesEach(5)],
  ["600+5", SETUP.minutesAndSeconds(10, 5)],
  [OWN_CLOCK, SETUP.ownClock],
];
export const STARTS = { me: "me", other: "other", chance: "chance" };

/**
 * The game that a form requests. If the book lets Player 1 start, the first mover is Player 1.
 *
 * @param {Pick<Book, "slug" | "player_1_starts">} book
 * @param {Answers} answer
 * @param {() => number} [random]
 * @returns {NewGame}
 */
export function newGame(book, answer, random = Math.random) {
  const mode = answer("mode");
  const isDevice = mode === MODE.device;
  const starts = answer("begins");
  const byChance = starts === STARTS.chance && random() < 0.5;
  const second = starts === STARTS.other || byChance ? 1 : 0;
  return {
    book: book.slug,
    mode,
    seat: book.player_1_starts && !isDevice ? second : 0,
    first: book.player_1_starts ? 0 : second,
    name: answer("name").trim(),
    ...(isDevice && { other: answer("other").trim() }),
    ...(mode === MODE.computer && { level: answer("level") }),
    clock: timeControl(answer),
    help: answer("help") === "on",
  };
}

/**
 * @param {Answers} answer
 * @returns {TimeControl | null}
 */
function timeControl(answer) {
  const clock = answer("clock");
  if (!clock) return null;
  if (clock === OWN_CLOCK) {
    const seconds = Math.round(Number(answer("minutes")) * 60);
    return { seconds, increment: Math.round(Number(answer("extra"))) };
  }
  const [seconds, increment] = clock.split("+").map(Number);
  return { seconds, increment };
}

/**
 * The slug of the game that a save is of.
 *
 * @param {string} save
 * @returns {string}
 */
export function bookOfSave(save) {
  try {
    const { game } = JSON.parse(save);
    if (typeof game === "string") return game;
  } catch {
    // What follows says so.
  }
  throw new Error(UPLOAD.notOurs);
}
