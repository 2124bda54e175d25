// The places of choices. A choice has the same place for the whole game, even while it is disabled.

/** @import { Label } from "./move_options.js" */
/** @typedef {{ label: Label, words: string[], move: string | null }} Choice */

const MAX_PLACES = 21;
const SHORT = 3;
const MEDIUM = 12;
const LONG = 20;

/** @param {Label} label */
const shownText = ({ text, answer, short }) => (answer ? `${answer}: ${text}` : (short ?? text));

/**
 * Return the width of the buttons with these labels; each width has a fixed number of columns.
 *
 * @param {Label[]} labels
 */
export function widthOf(labels) {
  const longest = Math.max(0, ...labels.map((label) => shownText(label).length));
  if (longest <= SHORT) return "short";
  return longest <= MEDIUM ? "medium" : longest <= LONG ? "long" : "full";
}

export class ChoicePlaces {
  /** @type {Map<string, Choice[]>} The choices for each question, in their places. */
  #places = new Map();

  /**
   * Return the choices for a question together with its earlier choices, each in its place. Above
   * the limit, only the current choices remain.
   *
   * @param {string} after
   * @param {Choice[]} choices
   */
  arrange(after, choices) {
    const question = after.replace(/\d+/g, "#");
    const before = this.#places.get(question) ?? [];
    const now = new Map(choices.map((choice) => [choice.label.text, choice]));
    const placed = before.map((choice) => now.get(choice.label.text) ?? choice);
    const added = choices.filter((choice) => !placed.includes(choice));
    const all = inNumericOrder([...placed, ...added]);
    const places = all.length > MAX_PLACES ? choices : all;
    this.#places.set(question, places);
    return places;
  }
}

/**
 * Sort the choices if all are numbers; otherwise keep their order.
 *
 * @param {Choice[]} choices
 */
function inNumericOrder(choices) {
  const numbers = new Map(
    choices.map((choice) => [choice, Number(choice.words[choice.words.length - 1])]),
  );
  if ([...numbers.values()].some(Number.isNaN)) return choices;
  const number = (/** @type {Choice} */ choice) => numbers.get(choice) ?? 0;
  return [...choices].sort((a, b) => number(a) - number(b));
}
