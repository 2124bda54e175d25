// The words of the form for a move: its question, and what its buttons say.

import { isWord, wordsOf } from "./partial_move.js";

/** @import { View } from "./protocol.js" */
/** @import { Option, PartialMove } from "./partial_move.js" */

const WHOLE_MOVES_KEY = "duelbook.whole";
const FEW_MOVES = 6;

/**
 * Whether the player wants to see whole moves. At first that is so where they are few.
 *
 * @param {string[]} legal
 */
export function showsWholeMoves(legal) {
  try {
    const kept = localStorage.getItem(WHOLE_MOVES_KEY);
    if (kept !== null) return kept === "yes";
  } catch {
    // The browser keeps nothing.
  }
  return legal.length <= FEW_MOVES;
}

/** @param {boolean} whole */
export function keepWholeMoves(whole) {
  try {
    localStorage.setItem(WHOLE_MOVES_KEY, whole ? "yes" : "no");
  } catch {
    // The browser keeps nothing: the form stays as it is.
  }
}

/**
 * The book's question after the words of a move so far.
 *
 * @param {View | undefined} view
 * @param {string[]} words
 */
export function questionText(view, words) {
  const said = words.join(" ");
  const heard = view?.heard?.[said];
  const question = view?.questions?.[said] ?? "Your move?";
  return [heard, question.trim().replace(/\n?>\s*$/, "")].filter(Boolean).join("\n");
}

/**
 * What a button for the next word says: also the words that need no choosing.
 *
 * @param {PartialMove} partial
 * @param {Option} option
 * @param {string[]} before the words that come before the option
 * @param {Record<string, string>} [aliases]
 */
export function optionLabel(partial, { word, move }, before, aliases = {}) {
  if (!word) return { text: "That is all" };
  if (partial.pieces.length) return { text: word };
  const said = partial.words.length;
  const lead = before.slice(said).filter(isWord);
  return moveLabel(partial, move ? wordsOf(move).slice(said) : [...lead, word], aliases);
}

/**
 * The words of a move, after the answer to the book's question that means the first of them:
 * `yes: take`.
 *
 * @param {PartialMove} partial
 * @param {string[]} words
 * @param {Record<string, string>} [aliases]
 * @returns {{ text: string, answer?: string }}
 */
export function moveLabel(partial, words, aliases = {}) {
  const text = words.join(" ");
  if (partial.words.length) return { text };
  const answer = Object.keys(aliases).find((name) => aliases[name] === words[0] && isWord(name));
  return { text, answer };
}
