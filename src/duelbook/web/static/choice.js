// Choosing a move: some of its words one after the other, or what was pointed at in the picture.
// A choice is `{ words, held }`: the words said so far, and the pieces of a move pointed at.

export const nothing = Object.freeze({ words: [], held: [] });

const spelled = (move) => move.split(" ");
const padded = (words) => ` ${words} `;
const contains = (move, piece) => padded(move).includes(padded(piece));
const startsWith = (move, words) => words.every((word, at) => spelled(move)[at] === word);

// The legal moves that the choice still allows.
export function left(legal, { words, held }) {
  return legal.filter(
    (move) => startsWith(move, words) && held.every((piece) => contains(move, piece)),
  );
}

export const canPoint = (legal, piece) => legal.some((move) => contains(move, piece));

// What may be said next, after the words that need no saying.
export function next(legal, choice) {
  const moves = left(legal, choice);
  let words = choice.words;
  for (;;) {
    const here = words.length;
    const options = [...new Set(moves.map((move) => spelled(move)[here] ?? ""))];
    const only = options.length === 1 && options[0];
    if (!only || moves.length === 1 || !(choice.held.length || /^\p{L}+$/u.test(only))) {
      return { words, options: options.map((word) => option(moves, words, word)) };
    }
    words = [...words, only];
  }
}

function option(moves, words, word) {
  const said = word ? [...words, word] : words;
  const rest = word ? moves.filter((move) => startsWith(move, said)) : [said.join(" ")];
  return { word, words: said, move: rest.length === 1 ? rest[0] : null };
}

// The choice after pointing at something, or null if that means nothing here.
export function point(legal, choice, piece) {
  const others = choice.held.filter((other) => spelled(other)[0] !== spelled(piece)[0]);
  const tries = [
    { words: choice.words, held: [...others, piece] },
    { words: [], held: [...others, piece] },
    { words: [], held: [piece] },
  ];
  return tries.find((one) => left(legal, one).length) ?? null;
}

// Whether everything still possible has this piece, and something has been chosen.
export function isChosen(legal, choice, piece) {
  if (!choice.words.length && !choice.held.length) return false;
  return left(legal, choice).every((move) => contains(move, piece));
}

// The move that is meant once only one is left.
export function complete(legal, choice) {
  const moves = left(legal, choice);
  return moves.length === 1 && (choice.words.length || choice.held.length) ? moves[0] : null;
}

// What someone typed as a move or as the next words of one; null if it is neither.
export function read(legal, choice, typed) {
  const words = typed.toLowerCase().trim().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  if (legal.includes(words.join(" "))) return { words, held: [] };
  return follow(legal, choice, words) ?? follow(legal, nothing, words);
}

function follow(legal, choice, typed) {
  for (const word of typed) {
    const { words, options } = next(legal, choice);
    const names = options.map((one) => one.word);
    const meant = names.includes(word) ? [word] : names.filter((name) => /^\p{L}/u.test(word) && name.startsWith(word));
    if (meant.length !== 1) return null;
    choice = { words: [...words, meant[0]], held: choice.held };
  }
  return left(legal, choice).length ? choice : null;
}
