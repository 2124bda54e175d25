// Parses the text that a player types, as play/move_input.py does at the terminal. The cases in
// tests/support/entry_cases.json test both.

import { EMPTY, isImplied, isWord, matchingMoves, nextOptions, nextWords } from "./partial_move.js";
import { GAME } from "./strings.js";

/** @import { Option, PartialMove } from "./partial_move.js" */
/** @typedef {Record<string, string>} Aliases Alternative answers, and the words that they mean. */

/**
 * Fold the case of letters.
 *
 * @param {string} text
 */
const foldCase = (text) =>
  [...text]
    .map((letter) => (letter === "ı" ? letter : letter.toUpperCase().toLowerCase()))
    .join("");

/**
 * Return the typed words and numbers; numbers without leading zeros.
 *
 * @param {string} typed
 */
const split = (typed) =>
  foldCase(typed)
    .split(/\p{White_Space}+/u)
    .filter(Boolean)
    .map((answer) => (/^\d+$/.test(answer) ? answer.replace(/^0+(?=\d)/, "") : answer));

/**
 * Return the partial move that a player typed, or null if it is not part of a legal move. The text
 * answers the visible question, which comes after the implied words.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @param {string} typed
 * @param {Aliases} [aliases]
 */
export function parseTyped(legal, partial, typed, aliases = {}) {
  const atQuestion = { ...partial, words: nextOptions(legal, partial).words };
  return (
    parseAfter(legal, atQuestion, typed, aliases) ?? parseAfter(legal, partial, typed, aliases)
  );
}

/**
 * Return the partial move after typed text. A keyword is optional if it is the only option, or the
 * only one that accepts the typed number. The full notation of a move is valid at any question.
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
  const fullMove = follow(legal, EMPTY, answers, aliases);
  return fullMove && legal.includes(fullMove.words.join(" ")) ? fullMove : null;
}

/**
 * Return the notation of typed words, even if it is not a legal move.
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
        // At the first question an alias always means its word, legal or not.
        const isElsewhere = !words.length && Object.hasOwn(aliases, answer);
        const keyword = findImpliedWord(answer, moves, words, pieces, aliases);
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
 * Return the implied word before an answer: the only option, or the only keyword that the typed
 * number can follow. If numbers are aliases of the options, they have no other meaning.
 *
 * @param {string} answer
 * @param {string[]} moves
 * @param {string[]} words
 * @param {string[]} pieces
 * @param {Aliases} aliases
 * @returns {string | undefined}
 */
function findImpliedWord(answer, moves, words, pieces, aliases) {
  const options = nextWords(moves, words);
  const isNumber = /^\d+$/.test(answer);
  const isNumbered = Object.entries(aliases).some(
    ([alias, word]) => /^\d+$/.test(alias) && options.includes(word),
  );
  if (isNumber && isNumbered) return undefined;
  if (options.length === 1) return isImplied(options[0], pieces) ? options[0] : undefined;
  if (!isNumber) return undefined;
  const accepting = options.filter(
    (word) => isWord(word) && nextWords(moves, [...words, word]).includes(answer),
  );
  return accepting.length === 1 ? accepting[0] : undefined;
}

/**
 * Return the option for an answer: its word or number, an alias, or a unique prefix.
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
  const words = new Set(
    [...names].filter(([name]) => name.startsWith(answer)).map(([, word]) => word),
  );
  return words.size === 1 ? [...words][0] : null;
}

/**
 * Return the options in the order of the answers in the book's question.
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
 * Return the possible answers, as text: `a number from 1 to 10`, `yes (take) or no (pass)`.
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
