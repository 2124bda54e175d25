// The texts of the form for a move: its question, and the labels of its buttons.

import { readText, storeText } from "./browser_storage.js";
import { el } from "./dom.js";
import { isWord, wordsOf } from "./partial_move.js";
import { GAME } from "./strings.js";

/** @import { View } from "./protocol.js" */
/** @import { Option, PartialMove } from "./partial_move.js" */
/** @typedef {{ text: string, answer?: string, short?: string }} Label */

const WHOLE_MOVES_KEY = "duelbook.whole";
const MAX_WHOLE_MOVES = 6;
const RANGE = /(\(\d+-\d+\):?)/;

/**
 * Whether the player wants to see whole moves. The default is yes if there are few.
 *
 * @param {string[]} legal
 */
export function showsWholeMoves(legal) {
  const stored = readText(WHOLE_MOVES_KEY);
  return stored === null ? legal.length <= MAX_WHOLE_MOVES : stored === "yes";
}

/** @param {boolean} whole */
export const storeWholeMoves = (whole) => storeText(WHOLE_MOVES_KEY, whole ? "yes" : "no");

/**
 * The book's question after the words of a move so far.
 *
 * @param {View | undefined} view
 * @param {string[]} words
 */
export function questionText(view, words) {
  const said = words.join(" ");
  const heard = view?.heard?.[said];
  const question = view?.asked?.[said] ?? view?.questions?.[said] ?? GAME.question;
  return [heard, question.trim().replace(/\n?>\s*$/, "")].filter(Boolean).join("\n");
}

/**
 * The question in parts; a range of numbers is never broken into two lines.
 *
 * @param {View | undefined} view
 * @param {string[]} words
 */
export function questionParts(view, words) {
  const parts = questionText(view, words).split(RANGE);
  return parts.map((part, at) => (at % 2 ? el("span", { class: "unbroken" }, part) : part));
}

/**
 * What a button for the next word says: also the words that need no choosing. `short` is the
 * number alone, which is enough below the question.
 *
 * @param {PartialMove} partial
 * @param {Option} option
 * @param {string[]} before the words that come before the option
 * @param {Record<string, string>} [aliases]
 * @returns {Label}
 */
export function optionLabel(partial, { word, move }, before, aliases = {}) {
  if (!word) return { text: GAME.thatIsAll };
  if (partial.pieces.length) return { text: word };
  const said = partial.words.length;
  const lead = before.slice(said).filter(isWord);
  const words = move ? wordsOf(move).slice(said) : [...lead, word];
  const label = moveLabel(partial, words, aliases);
  const isNumber = /^\d+$/.test(word) && words[words.length - 1] === word;
  return isNumber && label.text !== word ? { ...label, short: word } : label;
}

/**
 * The words of a move, after the answer to the book's question that means the first of them:
 * `yes: take`.
 *
 * @param {PartialMove} partial
 * @param {string[]} words
 * @param {Record<string, string>} [aliases]
 * @returns {Label}
 */
export function moveLabel(partial, words, aliases = {}) {
  const text = words.join(" ");
  if (partial.words.length) return { text };
  const answer = Object.keys(aliases).find((name) => aliases[name] === words[0] && isWord(name));
  return { text, answer };
}
