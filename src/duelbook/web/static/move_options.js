// The texts of the form for a move: the question, and the labels of the buttons.

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
 * Return whether the player wants whole moves. The default is yes if there are few moves.
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
 * Return the book's question after the words of a partial move.
 *
 * @param {View | undefined} view
 * @param {string[]} words
 */
export function questionText(view, words) {
  const partial = words.join(" ");
  const reply = view?.heard?.[partial];
  const question = view?.asked?.[partial] ?? view?.questions?.[partial] ?? GAME.question;
  return [reply, question.trim().replace(/\n?>\s*$/, "")].filter(Boolean).join("\n");
}

/**
 * Return the question in parts, so that a range of numbers never breaks into two lines.
 *
 * @param {View | undefined} view
 * @param {string[]} words
 */
export function questionParts(view, words) {
  const parts = questionText(view, words).split(RANGE);
  return parts.map((part, at) => (at % 2 ? el("span", { class: "nowrap" }, part) : part));
}

/**
 * Return the label of the button for the next word, including implied words. `short` is only the
 * number, which is enough below the question.
 *
 * @param {PartialMove} partial
 * @param {Option} option
 * @param {string[]} before the words before the option
 * @param {Record<string, string>} [aliases]
 * @returns {Label}
 */
export function optionLabel(partial, { word, move }, before, aliases = {}) {
  if (!word) return { text: GAME.thatIsAll };
  if (partial.pieces.length) return { text: word };
  const chosen = partial.words.length;
  const lead = before.slice(chosen).filter(isWord);
  const words = move ? wordsOf(move).slice(chosen) : [...lead, word];
  const label = moveLabel(partial, words, aliases);
  const isNumber = /^\d+$/.test(word) && words[words.length - 1] === word;
  return isNumber && label.text !== word ? { ...label, short: word } : label;
}

/**
 * Return the label of a move: its words, after the answer to the book's question that means the
 * first word, such as `yes: take`.
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
