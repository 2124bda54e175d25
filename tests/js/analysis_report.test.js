// What the analysis says of moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  describeAccuracy,
  describeJudgement,
} from "../../src/duelbook/web/static/analysis_report.js";

/** @import { Judgement } from "../../src/duelbook/web/static/protocol.js" */

/**
 * @param {Partial<Judgement>} [changes]
 * @returns {Judgement}
 */
const judgement = (changes = {}) => ({
  ...{ number: 1, seat: 0, move: "attack", mark: "mistake", best: ["build 1"] },
  said: "loses in 4 turns",
  ...changes,
});

test("the text of a mistake lists better moves", () => {
  assert.equal(describeJudgement(judgement()), "attack loses in 4 turns. Better: build 1.");
});

test("a long list of better moves is shortened", () => {
  const best = ["build 1", "build 2", "build 3", "build 4", "build 5"];
  const words = describeJudgement(judgement({ best }));
  assert.match(words, /Better: build 1, build 2, build 3 and 2 more\.$/);
});

test("the text of a good move lists no better moves", () => {
  const good = judgement({ mark: "good", said: "wins." });
  assert.equal(describeJudgement(good), "attack wins.");
});

test("the accuracy text has the percentage and the mistakes", () => {
  const moves = [judgement(), judgement({ number: 3 }), judgement({ number: 2, seat: 1 })];
  const analysis = { curve: [], moves, accuracy: [0.666, null] };
  assert.equal(describeAccuracy(analysis, 0), "67% without a mistake, 2 mistakes");
});

test("a seat without moves has no accuracy text", () => {
  assert.equal(describeAccuracy({ curve: [], moves: [], accuracy: [1, null] }, 1), null);
});
