// Keys that choose.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceByLetter, choiceByNumber } from "../../src/duelbook/web/static/key_choices.js";

/**
 * @param {string[]} moves
 * @param {string[]} [closed]
 */
const shown = (moves, closed = []) =>
  moves.map((move) => ({
    choice: { label: { text: move }, words: move.split(" "), move },
    isOpen: !closed.includes(move),
  }));

test("a digit selects the choice with this number", () => {
  const builds = shown(["build 1", "build 2", "build 4", "attack"]);
  assert.equal(choiceByNumber(builds, "4").choice?.move, "build 4");
  assert.equal(choiceByNumber(builds, "3").choice, null);
});

test("without numbers a digit selects an enabled place", () => {
  const words = shown(["fortify", "attack"], ["fortify"]);
  assert.equal(choiceByNumber(words, "2").choice?.move, "attack");
  assert.equal(choiceByNumber(words, "1").choice, null);
  assert.equal(choiceByNumber(words, "9").choice, null);
});

test("a digit waits if another digit could follow", () => {
  const numbers = shown(["attack 1", "attack 2", "attack 10"]);
  assert.deepEqual(choiceByNumber(numbers, "1").isUnfinished, true);
  assert.equal(choiceByNumber(numbers, "1").choice?.move, "attack 1");
  assert.deepEqual(choiceByNumber(numbers, "2").isUnfinished, false);
  assert.equal(choiceByNumber(numbers, "10").choice?.move, "attack 10");
});

test("a letter selects the only word that starts with it", () => {
  const moves = shown(["build 1", "build 2", "attack"]);
  assert.equal(choiceByLetter(moves, "A")?.move, "attack");
  assert.equal(choiceByLetter(moves, "b"), null);
  assert.equal(choiceByLetter(moves, "x"), null);
});
