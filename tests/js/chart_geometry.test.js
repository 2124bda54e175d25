// The chart of who was winning.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chartScale,
  describeChart,
  pointsWithCrossings,
} from "../../src/duelbook/web/static/chart_geometry.js";
import { firstPlayersShare } from "../../src/duelbook/web/static/evaluation_bar.js";

const SIZE = { width: 120, height: 100, side: 10, end: 20 };

test("a line has a point where it crosses zero", () => {
  assert.deepEqual(pointsWithCrossings([1, -1]), [
    [0, 1],
    [0.5, 0],
    [1, -1],
  ]);
  assert.deepEqual(pointsWithCrossings([0.5, -1]).at(1), [1 / 3, 0]);
});

test("a line that does not cross zero has no extra point", () => {
  assert.equal(pointsWithCrossings([1, 0, 1]).length, 3);
  assert.equal(pointsWithCrossings([-0.2, -1]).length, 2);
  assert.deepEqual(pointsWithCrossings([]), []);
});

test("values for the first player are at the top of the chart", () => {
  const { y } = chartScale(3, SIZE);
  assert.deepEqual([1, 0, -1].map(y), [20, 50, 80]);
});

test("moves run from left to right", () => {
  const { x } = chartScale(3, SIZE);
  assert.deepEqual([0, 1, 2].map(x), [10, 60, 110]);
  assert.equal(x(9), 110);
});

test("a click selects the nearest move", () => {
  const { moveAt } = chartScale(3, SIZE);
  assert.deepEqual([10, 40, 100].map(moveAt), [0, 1, 2]);
});

test("a chart of one value can be drawn", () => {
  assert.equal(chartScale(1, SIZE).x(0), 10);
});

test("the text of the chart lists each change of the leader", () => {
  const words = describeChart([0, 0.01, 1, 1, -0.5], ["Ann", "Bo"]);
  assert.equal(words, "Who was winning: at the start nobody, after move 2 Ann, after move 4 Bo.");
});

test("the evaluation bar shows the value", () => {
  assert.deepEqual([1, 0, -1].map(firstPlayersShare), [100, 50, 0]);
});
