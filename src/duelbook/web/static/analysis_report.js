// What the analysis says of a finished game: how well each side played, and the mistakes.

import { button, el, seatMark } from "./dom.js";
import { MARK } from "./protocol.js";
import { plural, withNames } from "./text_format.js";

/** @import { Analysis, Judgement } from "./protocol.js" */

const MOST_BETTER_MOVES = 3;

/** @param {Judgement | undefined} judgement */
export const isMistake = (judgement) => judgement?.mark === MARK.mistake;

/**
 * A sentence on a move, such as `pass loses in 4 turns; the best wins in 11 turns.`
 *
 * @param {Judgement} judgement
 * @param {string[]} names
 */
export function describeJudgement(judgement, names) {
  const { move, said, best = [] } = judgement;
  const sentence = `${move} ${withNames(said, names)}`.trim().replace(/([^.!?])$/, "$1.");
  if (!isMistake(judgement) || !best.length) return sentence;
  const left = best.length - MOST_BETTER_MOVES;
  const more = left > 0 ? ` and ${left} more` : "";
  return `${sentence} Better: ${best.slice(0, MOST_BETTER_MOVES).join(", ")}${more}.`;
}

/**
 * How well a seat played, in words; null if it made no move.
 *
 * @param {Analysis} analysis
 * @param {number} seat
 */
export function describeAccuracy({ accuracy = [], moves = [] }, seat) {
  const share = accuracy[seat] ?? null;
  if (share === null) return null;
  const mistakes = moves.filter((one) => one.seat === seat && isMistake(one));
  return `${Math.round(share * 100)}% without a mistake, ${plural(mistakes.length, "mistake")}`;
}

/**
 * @param {Analysis} analysis
 * @param {string[]} names
 * @param {(number: number) => void} onSelect called with the number of a move
 */
export function analysisReport(analysis, names, onSelect) {
  const { moves = [], decided_by: decidedBy } = analysis;
  const mistakes = moves.filter(isMistake);
  const sides = [0, 1].map((seat) => {
    const text = describeAccuracy(analysis, seat);
    return text && el("li", {}, seatMark(seat), ` ${names[seat]}: ${text}`);
  });
  const items = mistakes.map((one) => {
    const decided = one.number === decidedBy ? " It decided the game." : "";
    const go = () => onSelect(one.number);
    return el(
      "li",
      { class: "slip-line" },
      button([seatMark(one.seat), `Move ${one.number}`], go, { class: "quiet" }),
      el("span", {}, `${describeJudgement(one, names)}${decided}`),
    );
  });
  const list = { class: "list slips", "aria-label": "Mistakes", tabindex: "0" };
  return [
    moves.length ? el("ul", { class: "list" }, sides) : "",
    items.length
      ? el("ul", { ...list, "data-testid": "mistakes" }, items)
      : el("p", {}, "Nobody made a mistake."),
  ];
}
