// Parses the text that a player types, as play/move_input.py does at the terminal. The cases in
// tests/support/entry_cases.json hold for both.

import {
  EMPTY,
  isWord,
  matchingMoves,
  needsNoSaying,
  nextOptions,
  nextWords,
} from "./partial_move.js";
import { GAME } from "./strings.js";

/** @import { Option, PartialMove } from "./partial_move.js" */
/** @typedef {Record<string, string>} Aliases Other answers, and the words that they mean. */

/**
 * Letters that differ only in their case become the same.
 *
 * @param {string} text
 */
const foldCase = (text) =>
  [...text]
    .map((letter) => (letter === "ı" ? letter : letter.toUpperCase().toLowerCase()))
    .join("");

/**
 * The words and numbers that were typed; numbers without leading zeros.
 *
 * @param {string} typed
 */
const split = (typed) =>
  foldCase(typed)
    .split(/\p{White_Space}+/u)
    .filter(Boolean)
    .map((answer) => (/^\d+$/.test(answer) ? answer.replace(/^0+(?=\d)/, "") : answer));

/**
 * The partial move that a player typed; null if it is neither a move nor the next words of one.
 * It answers the question that is shown, which comes after the words that need no saying.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @param {string} typed
 * @param {Aliases} [aliases]
 */
export function parseTyped(legal, partial, typed, aliases = {}) {
  const asked = { ...partial, words: nextOptions(legal, partial).words };
  return parseAfter(legal, asked, typed, aliases) ?? parseAfter(legal, partial, typed, aliases);
}

/**
 * What a player typed after the words of a move so far. A keyword that is the only option, or the
 * only one that takes the number typed, need not be typed, and the whole notation of a move may be
 * typed at any question.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @param {string} typed
 * @param {Aliases} [aliases]
 * @returns {PartialMove | null}
 */
export function parseAfter(legal, partial, typed, aliases = {}) {
  const answers = split(typed);
  if (!answers.length) return null;
  const longer = follow(legal, partial, answers, aliases);
  if (longer || !isWord(answers[0])) return longer;
  const whole = follow(legal, EMPTY, answers, aliases);
  return whole && legal.includes(whole.words.join(" ")) ? whole : null;
}

/**
 * The notation of typed words, also if it is not a legal move.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @param {string} typed
 * @param {Aliases} [aliases]
 */
export function toNotation(legal, partial, typed, aliases = {}) {
  const [first, ...rest] = split(typed);
  const { words } = nextOptions(legal, partial);
  if (words.length && !isWord(first)) return [...words, first, ...rest].join(" ");
  return [Object.hasOwn(aliases, first) ? aliases[first] : first, ...rest].join(" ");
}

/**
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @param {string[]} answers
 * @param {Aliases} aliases
 * @returns {PartialMove | null}
 */
function follow(legal, { words: before, pieces }, answers, aliases) {
  const moves = matchingMoves(legal, { words: before, pieces });
  let words = before;
  for (const answer of answers) {
    let word = null;
    while (word === null) {
      const options = nextWords(moves, words);
      word = chooseOption(answer, options, aliases);
      if (word === null) {
        // At the first question an alias always means its own word, legal or not.
        const isElsewhere = !words.length && Object.hasOwn(aliases, answer);
        const keyword = findUnsaid(answer, moves, words, pieces, aliases);
        if (isElsewhere || keyword === undefined) return null;
        words = [...words, keyword];
      } else {
        words = [...words, word];
      }
    }
  }
  return { words, pieces };
}

/**
 * The word that needs no saying before an answer: the only option, or the only keyword that the
 * number typed can follow. Where numbers are other names of the options, they mean nothing else.
 *
 * @param {string} answer
 * @param {string[]} moves
 * @param {string[]} words
 * @param {string[]} pieces
 * @param {Aliases} aliases
 * @returns {string | undefined}
 */
function findUnsaid(answer, moves, words, pieces, aliases) {
  const options = nextWords(moves, words);
  const isNumber = /^\d+$/.test(answer);
  const isNumbered = Object.entries(aliases).some(
    ([alias, word]) => /^\d+$/.test(alias) && options.includes(word),
  );
  if (isNumber && isNumbered) return undefined;
  if (options.length === 1) return needsNoSaying(options[0], pieces) ? options[0] : undefined;
  if (!isNumber) return undefined;
  const taking = options.filter(
    (word) => isWord(word) && nextWords(moves, [...words, word]).includes(answer),
  );
  return taking.length === 1 ? taking[0] : undefined;
}

/**
 * The option meant: by its word or number, by an alias, or by the start of only one.
 *
 * @param {string} answer
 * @param {string[]} options
 * @param {Aliases} aliases
 */
function chooseOption(answer, options, aliases) {
  const names = new Map(Object.entries(aliases).filter(([, word]) => options.includes(word)));
  if (options.includes(answer)) return answer;
  const named = names.get(answer);
  if (named !== undefined) return named;
  if (!isWord(answer)) return null;
  for (const word of options) names.set(word, word);
  const found = new Set(
    [...names].filter(([name]) => name.startsWith(answer)).map(([, word]) => word),
  );
  return found.size === 1 ? [...found][0] : null;
}

/**
 * Options in the order in which the book's question names its answers.
 *
 * @param {Option[]} options
 * @param {Aliases} [aliases]
 */
export function inBookOrder(options, aliases = {}) {
  const order = Object.values(aliases);
  return options.every(({ word }) => order.includes(word))
    ? [...options].sort((a, b) => order.indexOf(a.word) - order.indexOf(b.word))
    : options;
}

/**
 * The possible answers, as text: `a number from 1 to 10`, `yes (take) or no (pass)`.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @param {Aliases} [aliases]
 */
export function describeAnswers(legal, partial, aliases = {}) {
  const next = nextOptions(legal, partial);
  const options = inBookOrder(next.options, aliases);
  const range = describeRange(options.map(({ word }) => Number(word)));
  if (range) return range;
  const skipped = next.words.slice(partial.words.length).filter(isWord);
  const lead = partial.pieces.length ? [] : skipped;
  const answers = options.map(({ word }) => describeAnswer(word, lead, aliases));
  const last = answers[answers.length - 1];
  return GAME.oneOf(answers.slice(0, -1), last);
}

/** @param {number[]} numbers */
function describeRange(numbers) {
  const [first] = numbers;
  const inRow = numbers.length > 2 && numbers.every((number, at) => number === first + at);
  return inRow ? GAME.range(first, first + numbers.length - 1) : "";
}

/**
 * @param {string} word
 * @param {string[]} lead
 * @param {Aliases} aliases
 */
function describeAnswer(word, lead, aliases) {
  const alias = Object.keys(aliases).find((name) => aliases[name] === word);
  if (!alias || !word) return [...lead, word].join(" ");
  return isWord(alias) ? `${alias} (${word})` : `${word} (${alias})`;
}
