// Choosing a move: some of its words one after the other, or what was pointed at in the picture.
// A choice is `{ words, held }`: the words said so far, and the pieces of a move pointed at.

export const nothing = Object.freeze({ words: [], held: [] });

const spelled = (move) => move.split(" ");
const split = (typed) => typed.toLowerCase().trim().split(/\s+/).filter(Boolean);
const isWord = (word) => /^\p{L}+$/u.test(word);
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

const nextWords = (moves, words) => [
  ...new Set(moves.filter((move) => startsWith(move, words)).map((move) => spelled(move)[words.length] ?? "")),
];
const needsNoSaying = (only, { held }) => Boolean(only) && (held.length > 0 || isWord(only));

// What may be said next, after the words that need no saying.
export function next(legal, choice) {
  const moves = left(legal, choice);
  let words = choice.words;
  for (;;) {
    const options = nextWords(moves, words);
    if (moves.length === 1 || options.length !== 1 || !needsNoSaying(options[0], choice)) {
      return { words, options: options.map((word) => option(moves, words, word)) };
    }
    words = [...words, options[0]];
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
export function read(legal, choice, typed, aliases = {}) {
  const answers = split(typed);
  if (!answers.length) return null;
  const next = follow(legal, choice, answers, aliases);
  if (next || !isWord(answers[0])) return next;
  const whole = follow(legal, nothing, answers, aliases);
  return whole && complete(legal, whole) ? whole : null;
}

// The notation that typed words stand for, also where they spell no legal move.
export function spell(legal, choice, typed, aliases = {}) {
  const [first, ...rest] = split(typed);
  const { words } = next(legal, choice);
  if (words.length && !isWord(first)) return [...words, first, ...rest].join(" ");
  return [aliases[first] ?? first, ...rest].join(" ");
}

function follow(legal, choice, answers, aliases) {
  const moves = left(legal, choice);
  let words = choice.words;
  for (const answer of answers) {
    for (;;) {
      const options = nextWords(moves, words);
      const word = meant(answer, options, aliases);
      words = [...words, word ?? options[0]];
      if (word) break;
      if (options.length !== 1 || !needsNoSaying(options[0], choice)) return null;
    }
  }
  return { words, held: choice.held };
}

// The option meant: by its word or number, by another name for it, or by the start of only one.
function meant(answer, options, aliases) {
  const plain = /^\d+$/.test(answer) ? answer.replace(/^0+(?=\d)/, "") : answer;
  const names = new Map(Object.entries(aliases).filter(([, word]) => options.includes(word)));
  if (options.includes(plain)) return plain;
  if (names.has(plain)) return names.get(plain);
  if (!isWord(plain)) return null;
  options.forEach((word) => names.set(word, word));
  const found = new Set([...names].filter(([name]) => name.startsWith(plain)).map(([, word]) => word));
  return found.size === 1 ? [...found][0] : null;
}

// Options in the order in which the book's question names its answers.
export function inOrder(options, aliases = {}) {
  const order = Object.values(aliases);
  return options.every(({ word }) => order.includes(word))
    ? [...options].sort((a, b) => order.indexOf(a.word) - order.indexOf(b.word))
    : options;
}

// What may be answered, in words: `a number from 1 to 10`, `yes (fortify) or no (rise)`.
export function answers(legal, choice, aliases = {}) {
  const { words, options: all } = next(legal, choice);
  const options = inOrder(all, aliases);
  const lead = choice.held.length ? [] : words.slice(choice.words.length).filter(isWord);
  const numbers = options.map(({ word }) => Number(word));
  const [first, last] = [numbers[0], numbers.at(-1)];
  const inRow = numbers.length > 2 && numbers.every((number, at) => number === first + at);
  const led = (word) => [...lead, word].join(" ");
  if (inRow) return `a number from ${first} to ${last}`;
  const said = options.map(({ word }) => {
    const other = Object.keys(aliases).find((alias) => aliases[alias] === word);
    if (!other || !word) return led(word);
    return isWord(other) ? `${other} (${word})` : `${word} (${other})`;
  });
  return [said.slice(0, -1).join(", "), said.at(-1)].filter(Boolean).join(" or ");
}
