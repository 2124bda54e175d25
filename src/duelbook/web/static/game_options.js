// The choices for a new game, and what the answers ask of the server.

import { LEVEL, MODE, OTHER_PLAYER } from "./protocol.js";

/** @import { Book, NewGame, TimeControl } from "./protocol.js" */
/** @typedef {(field: string) => string} Answers What was answered in each field of a form. */

const labelled = (/** @type {string} */ name) => [name, name[0].toUpperCase() + name.slice(1)];
export const LEVELS = Object.values(LEVEL).map(labelled);
/** Those who can play for the computer where no level can. */
export const OTHERS = [
  [...labelled(OTHER_PLAYER.mcts), "plays many games in its head"],
  [...labelled(OTHER_PLAYER.minimax), "looks a few moves ahead"],
  [...labelled(OTHER_PLAYER.greedy), "looks one move ahead"],
  [...labelled(OTHER_PLAYER.random), "plays any move"],
];
export const OWN_CLOCK = "own";
export const CLOCKS = [
  ["", "No clock"],
  ["60+0", "1 minute each"],
  ["180+2", "3 minutes, 2 seconds a move"],
  ["300+0", "5 minutes each"],
  ["600+5", "10 minutes, 5 seconds a move"],
  [OWN_CLOCK, "Another time"],
];
export const STARTS = { me: "me", other: "other", chance: "chance" };

/**
 * The game that a form asks for. Where a book says that Player 1 starts, whoever starts sits there.
 *
 * @param {Book} book
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
  throw new Error("This is not a saved game of Duelbook.");
}
