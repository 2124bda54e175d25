// Numbers that count from where they were to where they are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countingText } from "../../src/duelbook/web/static/counting_text.js";

test("a number begins where it was and ends where it is, with the words around it", () => {
  const node = { textContent: "8 of 15" };
  const count = countingText(node, 3);
  const seen = [node.textContent];
  for (const done of [1, 2, 3]) {
    count(done);
    seen.push(node.textContent);
  }
  assert.deepEqual(seen, ["5 of 15", "6 of 15", "7 of 15", "8 of 15"]);
});

test("a loss is counted down", () => {
  const node = { textContent: "4" };
  const count = countingText(node, -2);
  assert.equal(node.textContent, "6");
  count(1);
  assert.equal(node.textContent, "5");
});

test("what was drawn in between stays", () => {
  const node = { textContent: "8" };
  const count = countingText(node, 3);
  node.textContent = "11";
  count(1);
  count(3);
  assert.equal(node.textContent, "11");
});

test("what is no number is left alone", () => {
  const node = { textContent: "hidden" };
  countingText(node, 3)(1);
  assert.equal(node.textContent, "hidden");
  countingText(null, 3)(1);
});
