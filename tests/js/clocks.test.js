// Clocks between two messages of the server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { timeLeft } from "../../src/duelbook/web/static/clocks.js";

test("the clock of the player to move runs", () => {
  assert.equal(timeLeft({ left: [60_000, 30_000], running: 0 }, 0, 2_000), 58_000);
});

test("the other clock stands still", () => {
  assert.equal(timeLeft({ left: [60_000, 30_000], running: 0 }, 1, 2_000), 30_000);
});

test("no clock runs before the start or after the end of a game", () => {
  assert.equal(timeLeft({ left: [60_000, 30_000] }, 0, 2_000), 60_000);
});

test("a clock never shows a negative time", () => {
  assert.equal(timeLeft({ left: [1_000, 30_000], running: 0 }, 0, 2_000), 0);
});
