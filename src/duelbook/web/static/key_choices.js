// The choice of a key: a digit chooses a number, or a place if choices have no numbers; a letter
// chooses the word that begins with it.

/** @import { Choice } from "./choice_places.js" */
/** @typedef {{ choice: Choice, isOpen: boolean }} Shown A choice at its place. */

/**
 * The number that ends a choice, as text.
 *
 * @param {Choice} choice
 */
function numberOf({ words }) {
  const last = words[words.length - 1] ?? "";
  return /^\d+$/.test(last) ? last : "";
}

/**
 * The choice that some digits mean, and whether more digits could mean another.
 *
 * @param {Shown[]} shown
 * @param {string} digits
 * @returns {{ choice: Choice | null, isUnfinished: boolean }}
 */
export function choiceByNumber(shown, digits) {
  const numbered = shown.filter(({ choice, isOpen }) => isOpen && numberOf(choice));
  if (!shown.some(({ choice }) => numberOf(choice))) {
    const place = shown[Number(digits) - 1];
    return { choice: place?.isOpen ? place.choice : null, isUnfinished: false };
  }
  const exact = numbered.filter(({ choice }) => numberOf(choice) === digits);
  const isUnfinished = numbered.some(
    ({ choice }) => numberOf(choice) !== digits && numberOf(choice).startsWith(digits),
  );
  return { choice: exact.length === 1 ? exact[0].choice : null, isUnfinished };
}

/**
 * The only choice whose word, or whose answer in the book, begins with a letter.
 *
 * @param {Shown[]} shown
 * @param {string} letter
 */
export function choiceByLetter(shown, letter) {
  const begins = (/** @type {string | undefined} */ text) =>
    Boolean(text?.toLowerCase().startsWith(letter.toLowerCase()));
  const meant = shown.filter(
    ({ choice: { label }, isOpen }) => isOpen && (begins(label.text) || begins(label.answer)),
  );
  return meant.length === 1 ? meant[0].choice : null;
}
