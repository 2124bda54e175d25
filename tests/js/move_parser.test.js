// What the page adds to the cases in entry_cases.json: pointing, refusals and their words.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  describeAnswers,
  inBookOrder,
  parseTyped,
  toNotation,
} from "../../src/duelbook/web/static/move_parser.js";
import { EMPTY, nextOptions } from "../../src/duelbook/web/static/partial_move.js";

const numbered = (/** @type {string} */ word, /** @type {number} */ last) =>
  [...Array(last).keys()].map((n) => `${word} ${n + 1}`);
const ISLANDS = [...numbered("rise", 5), ...numbered("fortify", 5)];
const YES_NO = { yes: "fortify", no: "rise" };
const ACTIONS = { 1: "fortify", 2: "attack" };

test("a number answers the visible question", () => {
  const defend = numbered("defend", 10);
  assert.deepEqual(parseTyped(defend, EMPTY, "1", ACTIONS)?.words, ["defend", "1"]);
  const attack = numbered("attack", 15);
  assert.deepEqual(parseTyped(attack, EMPTY, "2", ACTIONS)?.words, ["attack", "2"]);
});

test("an implied keyword may be typed alone", () => {
  assert.deepEqual(parseTyped(numbered("move", 2), EMPTY, "move")?.words, ["move"]);
});

test("a number completes a chosen piece", () => {
  const legal = ["planet 3 ship 1", "planet 3 ship 2", "planet 4 ship 1"];
  const partial = { words: [], pieces: ["planet 3"] };
  const parsed = parseTyped(legal, partial, "2");
  assert.deepEqual(parsed?.words, ["planet", "3", "ship", "2"]);
});

test("a whole move may be typed after another piece was chosen", () => {
  const legal = ["planet 3 ship 1", "planet 3 ship 2", "planet 4 ship 1"];
  const parsed = parseTyped(legal, { words: [], pieces: ["planet 3"] }, "planet 4 ship 1");
  assert.deepEqual(parsed, { words: ["planet", "4", "ship", "1"], pieces: [] });
});

test("an illegal answer is sent to the server as a move", () => {
  assert.equal(toNotation(["build 1"], EMPTY, "Attack"), "attack");
  assert.equal(toNotation(ISLANDS, { words: ["rise"], pieces: [] }, "9"), "rise 9");
  assert.equal(toNotation(ISLANDS, EMPTY, "yes 9", YES_NO), "fortify 9");
  assert.equal(toNotation(ISLANDS, EMPTY, "constructor", YES_NO), "constructor");
});

test("possible answers are described in the book's words", () => {
  assert.equal(describeAnswers(ISLANDS, EMPTY, YES_NO), "yes (fortify) or no (rise)");
  const rise = { words: ["rise"], pieces: [] };
  assert.equal(describeAnswers(ISLANDS, rise, YES_NO), "a number from 1 to 5");
  const tokens = ["fortify", ...numbered("attack", 3)];
  assert.equal(describeAnswers(tokens, EMPTY, ACTIONS), "fortify (1) or attack (2)");
  const towers = ["build 1", "build 2", "build 4"];
  assert.equal(describeAnswers(towers, EMPTY), "build 1, build 2 or build 4");
});

test("options have the order of the book's question", () => {
  const words = (/** @type {Record<string, string>} */ aliases) =>
    inBookOrder(nextOptions(ISLANDS, EMPTY).options, aliases).map(({ word }) => word);
  assert.deepEqual(words(YES_NO), ["fortify", "rise"]);
  assert.deepEqual(words({}), ["rise", "fortify"]);
});
