// Which shapes are drawn together, and words in pictures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { shorten } from "../../src/duelbook/web/static/fit_text.js";
import { sharedStart } from "../../src/duelbook/web/static/game_log.js";
import { bandsOf } from "../../src/duelbook/web/static/picture.js";
import { wrap } from "../../src/duelbook/web/static/plain_shapes.js";

/** @import { Scene, Stack } from "../../src/duelbook/web/static/protocol.js" */

/**
 * @param {string} [form]
 * @returns {Stack}
 */
const stack = (form) => ({ shape: "stack", label: "A pile", count: 1, form });

/** @param {Scene} scene */
const drawn = (scene) =>
  [...bandsOf(scene)].map(([draw, shapes]) => [draw.name, shapes.map(({ key }) => key)]);

test("shapes of one kind form a band, in the order of the scene", () => {
  const scene = [stack("coins"), stack("shields"), stack("envelope"), stack()];
  assert.deepEqual(drawn(scene), [
    ["coins", [0, 2]],
    ["piles", [1, 3]],
  ]);
});

test("islands and the sea around them are one picture", () => {
  /** @type {Scene} */
  const scene = [
    { shape: "gauge", label: "An island", value: 3, limit: 30, form: "island" },
    stack("sea"),
  ];
  assert.deepEqual(drawn(scene), [["islands", [0, 1]]]);
});

test("an unknown form has a plain drawing", () => {
  assert.deepEqual(drawn([stack("dragons")]), [["piles", [0]]]);
  const gauge = { label: "", value: 1, limit: 2, form: "dragons" };
  assert.deepEqual(drawn([{ shape: "gauge", ...gauge }]), [["bars", [0]]]);
});

test("every shape has a drawing", () => {
  /** @type {Scene} */
  const scene = [
    { shape: "text", words: "Round 3" },
    { shape: "board", words: "x o" },
    { shape: "slots", label: "Hand", slots: [] },
    { shape: "track", last: 2, units: [0, 2], bases: [0, 2] },
  ];
  const names = drawn(scene).map(([name]) => name);
  assert.deepEqual(names, ["textLines", "letterBoard", "boxes", "track"]);
});

test("texts wrap between words", () => {
  assert.deepEqual(wrap("one two three", 7), ["one two", "three"]);
  assert.deepEqual(wrap("incomprehensible word", 7), ["incomprehensible", "word"]);
});

test("a long name is shortened, and the word after it stays", () => {
  const fits = (/** @type {string} */ text) => text.length <= 14;
  assert.equal(shorten("Maximiliana tower", fits), "Maximil… tower");
});

test("a text without a short last word is shortened at its end", () => {
  const fits = (/** @type {string} */ text) => text.length <= 6;
  assert.equal(shorten("Incomprehensibilities", fits), "Incom…");
});

test("unchanged entries of the log stay", () => {
  assert.equal(sharedStart(["a", "b", "c"], ["a", "b"]), 2);
  assert.equal(sharedStart(["a"], ["a", "b"]), 1);
  assert.equal(sharedStart(["x"], ["a", "b"]), 0);
});
