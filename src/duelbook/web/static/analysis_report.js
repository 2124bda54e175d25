// The analysis of a finished game: the accuracy of each side, and the mistakes.

import { button, el, seatMark } from "./dom.js";
import { MARK } from "./protocol.js";
import { REVIEW } from "./strings.js";

/** @import { Analysis, Judgement } from "./protocol.js" */

const MAX_BETTER_MOVES = 3;

/** @param {Judgement | undefined} judgement */
export const isMistake = (judgement) => judgement?.mark === MARK.mistake;

/**
 * Return a sentence about a move, such as `pass loses in 4 turns; the best wins in 11 turns.`
 *
 * @param {Judgement} judgement
 */
export function describeJudgement(judgement) {
  const { move, said, best = [] } = judgement;
  const sentence = `${move} ${said}`.trim().replace(/([^.!?])$/, "$1.");
  if (!isMistake(judgement) || !best.length) return sentence;
  const left = Math.max(0, best.length - MAX_BETTER_MOVES);
  return `${sentence} ${REVIEW.better(best.slice(0, MAX_BETTER_MOVES).join(", "), left)}`;
}

/**
 * Return the accuracy of a seat as text, or null if it made no move.
 *
 * @param {Analysis} analysis
 * @param {number} seat
 */
export function describeAccuracy({ accuracy = [], moves = [] }, seat) {
  const share = accuracy[seat] ?? null;
  if (share === null) return null;
  const mistakes = moves.filter((judgement) => judgement.seat === seat && isMistake(judgement));
  return REVIEW.accuracy(Math.round(share * 100), mistakes.length);
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
  const items = mistakes.map((judgement) => {
    const decided = judgement.number === decidedBy ? ` ${REVIEW.decided}` : "";
    const go = () => onSelect(judgement.number);
    return el(
      "li",
      { class: "mistake-line" },
      button([seatMark(judgement.seat), REVIEW.move(judgement.number)], go, { class: "subtle" }),
      el("span", {}, `${describeJudgement(judgement)}${decided}`),
    );
  });
  const list = { class: "list mistakes", "aria-label": REVIEW.mistakes, tabindex: "0" };
  return [
    moves.length ? el("ul", { class: "list" }, sides) : "",
    items.length
      ? el("ul", { ...list, "data-testid": "mistakes" }, items)
      : el("p", {}, REVIEW.noMistakes),
  ];
}
