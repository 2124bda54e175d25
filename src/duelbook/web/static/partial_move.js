// A partial move: its words so far, and the pieces chosen in the picture.

/**
 * `words` begin the move. `pieces` are parts of the move that may stand anywhere in it.
 *
 * @typedef {{ words: string[], pieces: string[] }} PartialMove
 */
/**
 * A possible next word, with all words so far, and the move if only one is left.
 *
 * @typedef {{ word: string, words: string[], move: string | null }} Option
 */

/** @typedef {{ word: string, numbers: number[] }} Amounts A word, and what may follow it. */

/** @type {Readonly<PartialMove>} */
export const EMPTY = Object.freeze({ words: [], pieces: [] });

/** @param {PartialMove} partial */
export const isEmpty = ({ words, pieces }) => !words.length && !pieces.length;

/** @param {string} move */
export const wordsOf = (move) => move.split(" ");

/**
 * Whether something consists of letters.
 *
 * @param {string} text
 */
export const isWord = (text) => /^\p{L}+$/u.test(text);

/**
 * Whether some words stand in a move, one after the other.
 *
 * @param {string} move
 * @param {string} piece
 */
export const containsWords = (move, piece) => ` ${move} `.includes(` ${piece} `);

/**
 * @param {string} move
 * @param {string[]} words
 */
const startsWith = (move, words) => {
  const spelled = wordsOf(move);
  return words.every((word, at) => spelled[at] === word);
};

/**
 * The legal moves that are still possible.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 */
export function matchingMoves(legal, { words, pieces }) {
  return legal.filter(
    (move) => startsWith(move, words) && pieces.every((piece) => containsWords(move, piece)),
  );
}

/**
 * The words that may follow others in some moves; an empty one where a move is complete.
 *
 * @param {string[]} moves
 * @param {string[]} words
 */
export function nextWords(moves, words) {
  const longer = moves.filter((move) => startsWith(move, words));
  return [...new Set(longer.map((move) => wordsOf(move)[words.length] ?? ""))];
}

/**
 * Whether the only word that may follow need not be said: a keyword, or any word of a move that
 * has been pointed at.
 *
 * @param {string} only
 * @param {string[]} pieces
 */
export const needsNoSaying = (only, pieces) => only !== "" && (pieces.length > 0 || isWord(only));

/**
 * The possible next words, after the words that are implied.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @returns {{ words: string[], options: Option[] }}
 */
export function nextOptions(legal, partial) {
  const moves = matchingMoves(legal, partial);
  let words = partial.words;
  for (;;) {
    const following = nextWords(moves, words);
    const isClear = following.length === 1 && needsNoSaying(following[0], partial.pieces);
    // The last word of the only move is explicit: otherwise there would be nothing to choose.
    const isLast = moves.length === 1 && wordsOf(moves[0]).length <= words.length + 1;
    if (isLast || !isClear) {
      return { words, options: following.map((word) => optionFor(moves, words, word)) };
    }
    words = [...words, following[0]];
  }
}

/**
 * @param {string[]} moves
 * @param {string[]} before
 * @param {string} word
 * @returns {Option}
 */
function optionFor(moves, before, word) {
  const words = word ? [...before, word] : before;
  const left = word ? moves.filter((move) => startsWith(move, words)) : [words.join(" ")];
  return { word, words, move: left.length === 1 ? left[0] : null };
}

/**
 * Whether a click on a piece has a meaning now.
 *
 * @param {string[]} legal
 * @param {string} piece
 */
export const canPointAt = (legal, piece) => legal.some((move) => containsWords(move, piece));

/**
 * The numbers that may follow one of some words: the one that has been said already, or the first.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @param {string[]} words
 * @returns {Amounts}
 */
export function amountsAfter(legal, partial, words) {
  const possible = words.filter((word) => numbersAfter(legal, word).length);
  const word =
    possible.find((candidate) => isSelected(legal, partial, candidate)) ?? possible[0] ?? "";
  return { word, numbers: numbersAfter(legal, word) };
}

/**
 * @param {string[]} legal
 * @param {string} word
 */
function numbersAfter(legal, word) {
  const starting = legal.filter((move) => move.startsWith(`${word} `));
  const ends = starting.map((move) => move.slice(word.length + 1));
  return ends.filter((end) => /^\d+$/.test(end)).map(Number);
}

/**
 * The move so far after pointing at a piece, or null if that means nothing here. A new piece takes
 * the place of another of its kind; if it does not fit the words so far, it starts a new move.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @param {string} piece
 * @returns {PartialMove | null}
 */
export function pointAt(legal, { words, pieces }, piece) {
  const others = pieces.filter((other) => wordsOf(other)[0] !== wordsOf(piece)[0]);
  const attempts = [
    { words, pieces: [...others, piece] },
    { words: [], pieces: [...others, piece] },
    { words: [], pieces: [piece] },
  ];
  return attempts.find((partial) => matchingMoves(legal, partial).length) ?? null;
}

/**
 * Whether a piece belongs to every move that is still possible, once something was chosen.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 * @param {string} piece
 */
export function isSelected(legal, partial, piece) {
  if (isEmpty(partial)) return false;
  return matchingMoves(legal, partial).every((move) => containsWords(move, piece));
}

/**
 * The move, once only one is left.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 */
export function completeMove(legal, partial) {
  const moves = matchingMoves(legal, partial);
  return moves.length === 1 && !isEmpty(partial) ? moves[0] : null;
}
