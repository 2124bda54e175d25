// Choices keep their places.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ChoicePlaces, widthOf } from "../../src/duelbook/web/static/choice_places.js";
import { stretchingOf } from "../../src/duelbook/web/static/picture.js";
import { bars, boxes } from "../../src/duelbook/web/static/plain_shapes.js";
import { towers } from "../../src/duelbook/web/static/towers.js";
import { wind } from "../../src/duelbook/web/static/track.js";

/** @param {string[]} moves */
const choices = (moves) =>
  moves.map((move) => ({ label: { text: move }, words: move.split(" "), move }));

/** @param {{ label: { text: string } }[]} shown */
const texts = (shown) => shown.map(({ label }) => label.text);

test("a missing choice keeps its place", () => {
  const places = new ChoicePlaces();
  places.arrange("planet", choices(["1", "2", "3"]));
  assert.deepEqual(texts(places.arrange("planet", choices(["1", "3"]))), ["1", "2", "3"]);
});

test("a new choice is last, and a new number is in numeric order", () => {
  const places = new ChoicePlaces();
  places.arrange("", choices(["build 1", "attack"]));
  const words = places.arrange("", choices(["fortify", "attack"]));
  assert.deepEqual(texts(words), ["build 1", "attack", "fortify"]);
  places.arrange("attack", choices(["2", "10"]));
  assert.deepEqual(texts(places.arrange("attack", choices(["3"]))), ["2", "3", "10"]);
});

test("the same question with another number has the same places", () => {
  const places = new ChoicePlaces();
  places.arrange("planet 3 ship", choices(["1", "2"]));
  assert.deepEqual(texts(places.arrange("planet 4 ship", choices(["2"]))), ["1", "2"]);
});

test("too many choices lose their places", () => {
  const places = new ChoicePlaces();
  const many = (/** @type {string} */ name) => [...Array(20).keys()].map((n) => `${name} ${n}`);
  places.arrange("", choices(many("rook")));
  assert.equal(places.arrange("", choices(many("king"))).length, 20);
});

test("the longest label determines the width of the buttons", () => {
  assert.equal(widthOf([{ text: "planet 3", short: "3" }]), "short");
  assert.equal(widthOf([{ text: "fortify", answer: "yes" }]), "medium");
  assert.equal(widthOf([{ text: "build 1" }, { text: "raise and go on" }]), "long");
});

test("bands that fill take the spare height, otherwise bands that grow", () => {
  assert.deepEqual(stretchingOf([bars, towers, boxes]), [towers]);
  assert.deepEqual(stretchingOf([bars, boxes]), [boxes]);
});

test("a long track has several rows, and all cells are large enough to touch", () => {
  const { place, step, rows } = wind(10, 344, 300);
  assert.equal(rows, 2);
  assert.ok(step >= 44);
  assert.equal(Math.round(place(5)[0]), Math.round(place(6)[0]));
  assert.equal(wind(10, 800, 600).rows, 1);
});
