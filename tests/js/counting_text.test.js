// Numbers that count from where they were to where they are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countingText } from "../../src/duelbook/web/static/counting_text.js";

test("a number counts from its old to its new value inside its text", () => {
  const node = { textContent: "8 of 15" };
  const count = countingText(node, 3);
  const texts = [node.textContent];
  for (const done of [1, 2, 3]) {
    count(done);
    texts.push(node.textContent);
  }
  assert.deepEqual(texts, ["5 of 15", "6 of 15", "7 of 15", "8 of 15"]);
});

test("a loss counts down", () => {
  const node = { textContent: "4" };
  const count = countingText(node, -2);
  assert.equal(node.textContent, "6");
  count(1);
  assert.equal(node.textContent, "5");
});

test("a text that was redrawn meanwhile stays", () => {
  const node = { textContent: "8" };
  const count = countingText(node, 3);
  node.textContent = "11";
  count(1);
  count(3);
  assert.equal(node.textContent, "11");
});

test("a text without a number stays", () => {
  const node = { textContent: "hidden" };
  countingText(node, 3)(1);
  assert.equal(node.textContent, "hidden");
  countingText(null, 3)(1);
});
