// A partial move: its words so far, and the chosen pieces of the picture.

/**
 * `words` are the start of the move. `pieces` are words that may be anywhere in the move.
 *
 * @typedef {{ words: string[], pieces: string[] }} PartialMove
 */
/**
 * A possible next word, with all words so far, and the move if only one remains.
 *
 * @typedef {{ word: string, words: string[], move: string | null }} Option
 */

/** @typedef {{ word: string, numbers: number[] }} Amounts A word, and the numbers after it. */

/** @type {Readonly<PartialMove>} */
export const EMPTY = Object.freeze({ words: [], pieces: [] });

/** @param {PartialMove} partial */
export const isEmpty = ({ words, pieces }) => !words.length && !pieces.length;

/** @param {string} move */
export const wordsOf = (move) => move.split(" ");

/**
 * Return whether a text consists of letters.
 *
 * @param {string} text
 */
export const isWord = (text) => /^\p{L}+$/u.test(text);

/**
 * Return whether a move contains consecutive words.
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
 * Return the legal moves that are still possible.
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
 * Return the words that may follow in some moves; an empty word if a move is complete.
 *
 * @param {string[]} moves
 * @param {string[]} words
 */
export function nextWords(moves, words) {
  const longer = moves.filter((move) => startsWith(move, words));
  return [...new Set(longer.map((move) => wordsOf(move)[words.length] ?? ""))];
}

/**
 * Return whether the only possible next word is implied: a keyword, or any word of a move that was
 * chosen in the picture.
 *
 * @param {string} word
 * @param {string[]} pieces
 */
export const isImplied = (word, pieces) => word !== "" && (pieces.length > 0 || isWord(word));

/**
 * Return the possible next words, after the implied words.
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
    const isClear = following.length === 1 && isImplied(following[0], partial.pieces);
    // The last word of the only move is explicit; otherwise there would be nothing to choose.
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
  const remaining = word ? moves.filter((move) => startsWith(move, words)) : [words.join(" ")];
  return { word, words, move: remaining.length === 1 ? remaining[0] : null };
}

/**
 * Return whether a piece belongs to a legal move.
 *
 * @param {string[]} legal
 * @param {string} piece
 */
export const canPointAt = (legal, piece) => legal.some((move) => containsWords(move, piece));

/**
 * Return the numbers that may follow one of these words: the selected word, or else the first.
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
 * Return the partial move after the choice of a piece, or null if no legal move contains the piece.
 * The piece replaces another of its kind. If it does not fit the words so far, it starts a new
 * move.
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
 * Return whether a piece belongs to every move that is still possible after the first choice.
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
 * Return the move if only one remains, otherwise null.
 *
 * @param {string[]} legal
 * @param {PartialMove} partial
 */
export function completeMove(legal, partial) {
  const moves = matchingMoves(legal, partial);
  return moves.length === 1 && !isEmpty(partial) ? moves[0] : null;
}
