// The geometry of the evaluation chart, and its text alternative.

import { REVIEW } from "./strings.js";

/** @typedef {[at: number, value: number]} Point */

/**
 * Return the points of a line, including the points at which it crosses zero.
 *
 * @param {number[]} values
 * @returns {Point[]}
 */
export function pointsWithCrossings(values) {
  return values.flatMap((value, at) => {
    const before = values[at - 1] ?? 0;
    /** @type {Point} */
    const point = [at, value];
    return before * value < 0 ? [[at - 1 + before / (before - value), 0], point] : [point];
  });
}

/**
 * Return the scale of a chart. Zero is in the middle, 1 at the top, -1 at the bottom.
 *
 * @param {number} count the number of values
 * @param {{ width: number, height: number, side: number, end: number }} size with its margins
 */
export function chartScale(count, { width, height, side, end }) {
  const last = Math.max(count - 1, 1);
  const across = width - 2 * side;
  return {
    x: (/** @type {number} */ at) => side + (Math.min(at, last) / last) * across,
    y: (/** @type {number} */ value) => height / 2 - value * (height / 2 - end),
    moveAt: (/** @type {number} */ x) => Math.round(((x - side) / across) * last),
  };
}

/**
 * Return the chart as text: who was winning, and since which move.
 *
 * @param {number[]} values
 * @param {string[]} names
 */
export function describeChart(values, names) {
  /** @type {string[]} */
  const parts = [];
  let before = "";
  values.forEach((value, at) => {
    const leader = Math.abs(value) <= 0.05 ? REVIEW.nobody : names[value > 0 ? 0 : 1];
    if (leader !== before) parts.push(at ? REVIEW.afterMove(at, leader) : REVIEW.atStart(leader));
    before = leader;
  });
  return REVIEW.whoWasWinning(parts.join(", "));
}
