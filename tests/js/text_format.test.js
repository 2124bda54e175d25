// Names, numbers and times, as people read them.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatClock,
  formatDay,
  formatDuration,
  forOthers,
  isPreformatted,
  plural,
  trimLines,
  withNames,
} from "../../src/duelbook/web/static/text_format.js";

test("the players' names stand where the server says their seats", () => {
  const text = "Player 1 attacks Player 2's tower.";
  assert.equal(withNames(text, ["Ann", "Bo"]), "Ann attacks Bo's tower.");
});

test("a name that looks like a pattern is only a name", () => {
  assert.equal(withNames("Player 1 wins", ["$& $1", "Bo"]), "$& $1 wins");
});

test("Player 10 and Player 12 are nobody", () => {
  assert.equal(withNames("Player 12", ["Ann", "Bo"]), "Player 12");
});

test("what the book says to one player is turned for the others", () => {
  const text = "Your tower is 4 high. Opponent's tower is 2 high.";
  assert.equal(forOthers(text, 0), "Player 1's tower is 4 high. Player 2's tower is 2 high.");
  assert.equal(forOthers("the opponent's base", 1), "Player 1's base");
});

test("boards of letters keep their columns, sentences do not", () => {
  assert.ok(isPreformatted("x o x\n. x ."));
  assert.ok(isPreformatted("| a | b |"));
  assert.ok(!isPreformatted("Ann builds 4 units.\nBo attacks."));
});

test("empty lines around a text are left out", () => {
  assert.equal(trimLines("\n\nAnn moves.\n\nBo waits.\n"), "Ann moves.\n\nBo waits.");
});

test("one is singular, everything else plural", () => {
  assert.deepEqual(
    [0, 1, 2].map((n) => plural(n, "mistake")),
    ["0 mistakes", "1 mistake", "2 mistakes"],
  );
});

test("a clock shows hours, minutes and seconds", () => {
  assert.equal(formatClock(3_723_000), "1:02:03");
  assert.equal(formatClock(300_000), "5:00");
  assert.equal(formatClock(61_000), "1:01");
});

test("a clock rounds up to the second that has begun", () => {
  assert.equal(formatClock(59_001), "1:00");
  assert.equal(formatClock(10_000), "0:10");
});

test("below ten seconds a clock shows tenths, and never more than is left", () => {
  assert.equal(formatClock(9_999), "9.9");
  assert.equal(formatClock(149), "0.1");
  assert.equal(formatClock(0), "0.0");
});

test("a time control is said in minutes and seconds", () => {
  assert.equal(formatDuration(90_000), "1 minute 30 seconds");
  assert.equal(formatDuration(300_000), "5 minutes");
  assert.equal(formatDuration(1_000), "1 second");
});

test("a game of today is from today", () => {
  const noon = new Date(2026, 4, 3, 12).getTime();
  assert.equal(formatDay(noon, noon + 3_600_000), "Today");
  assert.match(formatDay(noon, noon + 86_400_000), /3/);
});
