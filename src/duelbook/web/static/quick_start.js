// Starts a game with one tap, with the default options.

import { RequestError } from "./api.js";
import { createGame } from "./create_game.js";
import { guidedGame } from "./first_game.js";
import { newGame, STARTS } from "./game_options.js";
import { isNew, levelFor, storeLevel } from "./preferences.js";
import { CODE, LEVEL, MODE, OTHER_PLAYER } from "./protocol.js";
import { savedName } from "./saved_seats.js";

/** @import { Book } from "./protocol.js" */
/** @typedef {Pick<Book, "slug" | "title"> & Partial<Book>} BookSummary */

/**
 * Return whether the next game against the computer is guided: the first game is, if the book has a
 * guide.
 *
 * @param {BookSummary} book
 */
export const isGuidedNext = ({ slug, first_game: hasGuide }) => Boolean(hasGuide) && isNew(slug);

/** @param {BookSummary} book */
export async function startGuided({ slug, title }) {
  await createGame(guidedGame(slug), title);
  storeLevel(slug, LEVEL.easy);
}

/**
 * @param {BookSummary} book
 * @param {string} mode
 */
export async function quickStart(book, mode) {
  if (mode !== MODE.computer) return create(book, { mode });
  if (isGuidedNext(book)) return startGuided(book);
  const level = levelFor(book.slug);
  try {
    await create(book, { mode, level, help: "on" });
    storeLevel(book.slug, level);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== CODE.level) throw error;
    // No level can play this game, so use a player that needs no solution.
    await create(book, { mode, level: OTHER_PLAYER.mcts, help: "on" });
    storeLevel(book.slug, OTHER_PLAYER.mcts);
  }
}

/**
 * @param {BookSummary} book
 * @param {Record<string, string>} values
 */
async function create(book, values) {
  const all = { name: savedName(), begins: STARTS.me, ...values };
  const value = (/** @type {string} */ field) =>
    /** @type {Record<string, string>} */ (all)[field] ?? "";
  await createGame(newGame(book, value), book.title);
}
