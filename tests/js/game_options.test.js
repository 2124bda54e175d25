// What the forms ask of the server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bookOfSave, newGame } from "../../src/duelbook/web/static/game_options.js";
import { describeTerms } from "../../src/duelbook/web/static/invite.js";
import { OPEN, snapshot } from "./fakes.js";

const BOOK = { slug: "a-game", title: "A Game", about: "", scene: [] };
const STRICT_BOOK = { ...BOOK, player_1_starts: true };

/** @param {Record<string, string>} fields */
const answers = (fields) => (/** @type {string} */ field) =>
  ({ mode: "friend", begins: "me", ...fields })[field] ?? "";

test("a game with a friend has a name and no clock by default", () => {
  assert.deepEqual(newGame(BOOK, answers({ name: " Ann " })), {
    ...{ book: "a-game", mode: "friend", seat: 0, first: 0, name: "Ann" },
    ...{ clock: null, help: false },
  });
});

test("the level is sent only for the computer, the second name only for one device", () => {
  const fields = { level: "hard", other: "Bo" };
  assert.equal(newGame(BOOK, answers({ ...fields, mode: "computer" })).level, "hard");
  assert.equal(newGame(BOOK, answers({ ...fields, mode: "computer" })).other, undefined);
  assert.equal(newGame(BOOK, answers({ ...fields, mode: "device" })).other, "Bo");
  assert.equal(newGame(BOOK, answers({ ...fields, mode: "device" })).level, undefined);
});

test("the player has the first seat even if the opponent starts", () => {
  const { seat, first } = newGame(BOOK, answers({ begins: "other" }));
  assert.deepEqual({ seat, first }, { seat: 0, first: 1 });
});

test("if the book says that Player 1 starts, the first mover is Player 1", () => {
  const { seat, first } = newGame(STRICT_BOOK, answers({ begins: "other" }));
  assert.deepEqual({ seat, first }, { seat: 1, first: 0 });
  assert.equal(newGame(STRICT_BOOK, answers({ mode: "device", begins: "other" })).seat, 0);
});

test("chance decides who starts", () => {
  const chance = answers({ begins: "chance" });
  assert.equal(newGame(BOOK, chance, () => 0.2).first, 1);
  assert.equal(newGame(BOOK, chance, () => 0.8).first, 0);
});

test("a clock is chosen from the list, or set in minutes and seconds", () => {
  const clock = (/** @type {Record<string, string>} */ fields) =>
    newGame(BOOK, answers(fields)).clock;
  assert.deepEqual(clock({ clock: "180+2" }), { seconds: 180, increment: 2 });
  const custom = { clock: "own", minutes: "0.5", extra: "3" };
  assert.deepEqual(clock(custom), { seconds: 30, increment: 3 });
});

test("the game of a save is recognised", () => {
  assert.equal(bookOfSave('{"game": "a-game"}'), "a-game");
});

test("a file that is not a save is refused with a sentence", () => {
  for (const text of ["", "{}", "[1]", "null", '{"game": 3}', "\u0000"]) {
    assert.throws(() => bookOfSave(text), /not a saved game/);
  }
});

test("the terms of an invitation describe the clock and help", () => {
  const { status } = snapshot({}, OPEN);
  assert.equal(
    describeTerms(status),
    "There is no clock. Ann does not allow hints or the evaluation bar.",
  );
  const clocks = { left: [180_000, 180_000], increment: 2_000 };
  assert.equal(
    describeTerms({ ...status, clocks, help: [true, false] }),
    "Each player has 3 minutes, and 2 seconds more for each move. " +
      "Ann allows hints and the evaluation bar.",
  );
});
