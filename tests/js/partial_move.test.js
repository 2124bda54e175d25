// Choosing a move word by word, and by pointing at the picture.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  canPointAt,
  completeMove,
  EMPTY,
  isSelected,
  matchingMoves,
  nextOptions,
  pointAt,
} from "../../src/duelbook/web/static/partial_move.js";

const TOWERS = ["build 1", "build 2", "build 4", "attack"];
const PLANETS = [1, 2, 3].flatMap((planet) =>
  [1, 2].map((ship) => `planet ${planet} ship ${ship}`),
);

test("at first every legal move is possible", () => {
  assert.deepEqual(matchingMoves(TOWERS, EMPTY), TOWERS);
  assert.equal(completeMove(TOWERS, EMPTY), null);
});

test("a first word leaves the moves that start with it", () => {
  const partial = { words: ["build"], pieces: [] };
  assert.deepEqual(matchingMoves(TOWERS, partial), ["build 1", "build 2", "build 4"]);
  assert.equal(completeMove(TOWERS, partial), null);
});

test("a word that leaves one move selects it", () => {
  assert.equal(completeMove(TOWERS, { words: ["attack"], pieces: [] }), "attack");
});

test("the only legal move is not selected automatically", () => {
  assert.equal(completeMove(["attack"], EMPTY), null);
});

test("the next words are options, with the move if only one remains", () => {
  const { options } = nextOptions(TOWERS, EMPTY);
  assert.deepEqual(options, [
    { word: "build", words: ["build"], move: null },
    { word: "attack", words: ["attack"], move: "attack" },
  ]);
});

test("a keyword that is the only option is implied", () => {
  const { words, options } = nextOptions(PLANETS, EMPTY);
  assert.deepEqual(words, ["planet"]);
  assert.deepEqual(
    options.map(({ word }) => word),
    ["1", "2", "3"],
  );
});

test("a number is never implied", () => {
  const { words } = nextOptions(["planet 3 ship 1", "planet 3 ship 2"], EMPTY);
  assert.deepEqual(words, ["planet"]);
});

test("a piece can be chosen if it is part of a legal move", () => {
  assert.ok(canPointAt(PLANETS, "ship 2"));
  assert.ok(!canPointAt(PLANETS, "ship 7"));
  assert.ok(!canPointAt(PLANETS, "ship"[0]));
});

test("two pieces in any order select a move", () => {
  const first = pointAt(PLANETS, EMPTY, "ship 2");
  assert.ok(first);
  const second = pointAt(PLANETS, first, "planet 3");
  assert.ok(second);
  assert.equal(completeMove(PLANETS, second), "planet 3 ship 2");
});

test("another piece of the same kind replaces the first", () => {
  const partial = pointAt(PLANETS, { words: [], pieces: ["ship 2"] }, "ship 1");
  assert.deepEqual(partial, { words: [], pieces: ["ship 1"] });
});

test("a piece that does not fit the words so far starts a new move", () => {
  const partial = pointAt(PLANETS, { words: ["planet", "3"], pieces: [] }, "planet 1");
  assert.deepEqual(partial, { words: [], pieces: ["planet 1"] });
});

test("a piece of no legal move cannot be chosen", () => {
  assert.equal(pointAt(PLANETS, EMPTY, "planet 9"), null);
});

test("a piece is selected if every possible move has it", () => {
  const partial = { words: ["planet", "3"], pieces: [] };
  assert.ok(isSelected(PLANETS, partial, "planet 3"));
  assert.ok(!isSelected(PLANETS, partial, "ship 1"));
  assert.ok(!isSelected(PLANETS, EMPTY, "planet 3"));
});

test("after the choice of a piece, implied words are added", () => {
  const { words, options } = nextOptions(PLANETS, { words: [], pieces: ["planet 3"] });
  assert.deepEqual(words, ["planet", "3", "ship"]);
  assert.deepEqual(
    options.map(({ move }) => move),
    ["planet 3 ship 1", "planet 3 ship 2"],
  );
});
