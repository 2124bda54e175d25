// Where on the board a move was made.

import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf } from "../../src/duelbook/web/static/last_move.js";

/** @import { Scene, Shape, Slot } from "../../src/duelbook/web/static/protocol.js" */

/**
 * @param {number} value
 * @param {string} says
 * @returns {Shape}
 */
const tower = (value, says) => ({ shape: "gauge", label: "Tower", value, limit: 15, says });

/**
 * @param {Slot[]} slots
 * @returns {Shape}
 */
const row = (...slots) => ({ shape: "slots", label: "Row", slots });

/**
 * @param {Scene} before
 * @param {Scene} after
 * @param {string} move
 */
const places = (before, after, move) => [...placesOf(before, after, move)];

test("a move is marked at the place that its words named before it", () => {
  const before = [tower(3, "build"), tower(5, "attack")];
  const built = [tower(5, "attack"), tower(5, "build")];
  assert.deepEqual(places(before, built, "build 2"), ["0"]);
  const attacked = [tower(3, "attack"), tower(2, "build")];
  assert.deepEqual(places(before, attacked, "attack"), ["1"]);
});

test("a move that names two places marks both", () => {
  const planets = row({ name: "1", says: "planet 1" }, { name: "2", says: "planet 2" });
  const ships = row({ name: "1", says: "ship 1" }, { name: "2", says: "ship 2" });
  const spent = row({ name: "1", spent: true, says: "ship 1" }, { name: "2", says: "ship 2" });
  assert.deepEqual(places([planets, ships], [planets, spent], "planet 2 ship 1"), ["0/1", "1/0"]);
});

test("words match whole words only", () => {
  const planets = row({ name: "1", says: "planet 1" }, { name: "11", says: "planet 11" });
  assert.deepEqual(places([planets], [planets], "planet 11 ship 2"), ["0/1"]);
});

test("of places with the same words, the changed ones are marked", () => {
  const empty = row({ name: "1", says: "column 1" }, { name: "2", says: "column 2" });
  const taken = row({ name: "1", seat: 0, says: "column 1" }, { name: "2", says: "column 2" });
  assert.deepEqual(places([empty, empty], [empty, taken], "column 1"), ["1/0"]);
});

test("a move that names no place is marked at the changes", () => {
  /** @type {Scene} */
  const before = [{ shape: "text", words: "Round 1" }, tower(3, "")];
  /** @type {Scene} */
  const after = [{ shape: "text", words: "Round 1" }, tower(4, "")];
  assert.deepEqual(places(before, after, "roll 3"), ["1"]);
});

test("available actions are not changes", () => {
  assert.deepEqual(places([tower(3, "build")], [tower(3, "attack")], "pass"), []);
});

test("the places of a track are its cells", () => {
  /** @type {Scene} */
  const before = [
    { shape: "track", last: 3, units: [0, 3], bases: [0, 3], says: ["", "move 1", "move 2", ""] },
  ];
  /** @type {Scene} */
  const after = [{ shape: "track", last: 3, units: [2, 3], bases: [0, 3] }];
  assert.deepEqual(places(before, after, "move 2"), ["0/2"]);
  assert.deepEqual(places(after, before, "back"), ["0/0", "0/2"]);
});

test("a hidden choice is marked at its visible place", () => {
  /** @type {Scene} */
  const before = [{ shape: "stack", label: "Tokens", count: 9, says: "attack" }];
  /** @type {Scene} */
  const after = [...before, { shape: "stack", label: "Attack", count: null, form: "envelope" }];
  assert.deepEqual(places(before, after, "attack ?"), ["0"]);
  assert.deepEqual(places(before, after, "?"), ["1"]);
});
