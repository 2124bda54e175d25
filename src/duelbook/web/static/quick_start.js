// Starts a game with one tap, with the default options.

import { RequestError } from "./api.js";
import { createGame } from "./create_game.js";
import { guidedGame } from "./first_game.js";
import { newGame, STARTS } from "./game_options.js";
import { isNew, levelFor, rememberLevel } from "./preferences.js";
import { CODE, LEVEL, MODE, OTHER_PLAYER } from "./protocol.js";
import { savedName } from "./saved_seats.js";

/** @import { Book } from "./protocol.js" */
/** @typedef {Pick<Book, "slug" | "title"> & Partial<Book>} Known */

/**
 * Whether the next game against the computer is guided: the first one is, if the book has a guide.
 *
 * @param {Known} book
 */
export const isGuidedNext = ({ slug, first_game: hasGuide }) => Boolean(hasGuide) && isNew(slug);

/** @param {Known} book */
export async function startGuided({ slug, title }) {
  await createGame(guidedGame(slug), title);
  rememberLevel(slug, LEVEL.easy);
}

/**
 * @param {Known} book
 * @param {string} mode
 */
export async function quickStart(book, mode) {
  if (mode !== MODE.computer) return begin(book, { mode });
  if (isGuidedNext(book)) return startGuided(book);
  const level = levelFor(book.slug);
  try {
    await begin(book, { mode, level, help: "on" });
    rememberLevel(book.slug, level);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== CODE.level) throw error;
    // No level can play this game. Someone can who needs no solution of it.
    await begin(book, { mode, level: OTHER_PLAYER.mcts, help: "on" });
    rememberLevel(book.slug, OTHER_PLAYER.mcts);
  }
}

/**
 * @param {Known} book
 * @param {Record<string, string>} answers
 */
async function begin(book, answers) {
  const all = { name: savedName(), begins: STARTS.me, ...answers };
  const answer = (/** @type {string} */ field) =>
    /** @type {Record<string, string>} */ (all)[field] ?? "";
  await createGame(newGame(book, answer), book.title);
}
