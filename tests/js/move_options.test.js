// The question and the buttons for a move.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  moveLabel,
  optionLabel,
  questionText,
  showsWholeMoves,
  storeWholeMoves,
} from "../../src/duelbook/web/static/move_options.js";
import { EMPTY } from "../../src/duelbook/web/static/partial_move.js";
import { installStorage } from "./fakes.js";

const VIEW = {
  ...{ position: {}, to_move: 0, board: "", scene: [] },
  questions: { "": "Do you want to use a token? (yes/no)\n> ", rise: "How far (1-5):\n> " },
  heard: { rise: "You chose to rise." },
};

test("the book's question is shown without its prompt", () => {
  assert.equal(questionText(VIEW, []), "Do you want to use a token? (yes/no)");
});

test("the book's reply to a word comes before the next question", () => {
  assert.equal(questionText(VIEW, ["rise"]), "You chose to rise.\nHow far (1-5):");
});

test("the page has a default question", () => {
  assert.equal(questionText(undefined, []), "Your move?");
});

test("a button has the book's answer and the word that it means", () => {
  const option = { word: "fortify", words: ["fortify"], move: null };
  const label = optionLabel(EMPTY, option, [], { yes: "fortify", no: "rise" });
  assert.deepEqual(label, { text: "fortify", answer: "yes" });
});

test("a numeric answer is not part of the label", () => {
  assert.equal(moveLabel(EMPTY, ["fortify"], { 1: "fortify" }).answer, undefined);
});

test("a button includes the implied keyword", () => {
  const option = { word: "3", words: ["planet", "3"], move: null };
  assert.equal(optionLabel(EMPTY, option, ["planet"]).text, "planet 3");
});

test("a button after a first word has only the rest", () => {
  const option = { word: "3", words: ["rise", "3"], move: "rise 3" };
  assert.equal(optionLabel({ words: ["rise"], pieces: [] }, option, ["rise"]).text, "3");
});

test("few moves are shown whole and many word by word by default", () => {
  installStorage();
  assert.ok(showsWholeMoves(["build 1", "attack"]));
  const many = [...Array(40).keys()].map((n) => `rise ${n}`);
  assert.ok(!showsWholeMoves(many));
  storeWholeMoves(true);
  assert.ok(showsWholeMoves(many));
});

test("missing storage changes nothing", () => {
  installStorage(null);
  storeWholeMoves(false);
  assert.ok(showsWholeMoves(["attack"]));
});
