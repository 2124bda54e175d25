// The choice for a key. A digit selects a number, or a place if the choices have no numbers; a
// letter selects the word that starts with it.

/** @import { Choice } from "./choice_places.js" */
/** @typedef {{ choice: Choice, isOpen: boolean }} PlacedChoice */

/**
 * Return the number that ends a choice, as text.
 *
 * @param {Choice} choice
 */
function numberOf({ words }) {
  const last = words[words.length - 1] ?? "";
  return /^\d+$/.test(last) ? last : "";
}

/**
 * Return the choice for typed digits, and whether another digit could select another choice.
 *
 * @param {PlacedChoice[]} shown
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
 * Return the choice whose word, or whose answer in the book, starts with a letter, if it is the
 * only one.
 *
 * @param {PlacedChoice[]} shown
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
