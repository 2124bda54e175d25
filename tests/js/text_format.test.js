// Numbers and times, as people read them.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatClock,
  formatDay,
  formatDuration,
  isPreformatted,
} from "../../src/duelbook/web/static/text_format.js";

test("boards of letters are preformatted, sentences are not", () => {
  assert.ok(isPreformatted("x o x\n. x ."));
  assert.ok(isPreformatted("| a | b |"));
  assert.ok(!isPreformatted("Ann builds 4 units.\nBo attacks."));
});

test("a clock shows hours, minutes and seconds", () => {
  assert.equal(formatClock(3_723_000), "1:02:03");
  assert.equal(formatClock(300_000), "5:00");
  assert.equal(formatClock(61_000), "1:01");
});

test("a clock rounds up to full seconds", () => {
  assert.equal(formatClock(59_001), "1:00");
  assert.equal(formatClock(10_000), "0:10");
});

test("below ten seconds a clock shows tenths, rounded down", () => {
  assert.equal(formatClock(9_999), "9.9");
  assert.equal(formatClock(149), "0.1");
  assert.equal(formatClock(0), "0.0");
});

test("a duration is formatted in minutes and seconds", () => {
  assert.equal(formatDuration(90_000), "1 minute 30 seconds");
  assert.equal(formatDuration(300_000), "5 minutes");
  assert.equal(formatDuration(1_000), "1 second");
});

test("the day of a game of today is Today", () => {
  const noon = new Date(2026, 4, 3, 12).getTime();
  assert.equal(formatDay(noon, noon + 3_600_000), "Today");
  assert.match(formatDay(noon, noon + 86_400_000), /3/);
});
