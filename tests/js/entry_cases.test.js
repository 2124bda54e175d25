// The page reads typed moves as the terminal does. tests/test_entry_cases.py is the other half.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAfter } from "../../src/duelbook/web/static/move_parser.js";
import entry from "../support/entry_cases.json" with { type: "json" };

/** @typedef {{ legal: string[], aliases: Record<string, string> }} Position */
const positions = /** @type {Record<string, Position>} */ (entry.positions);

for (const { at, words, typed, gives } of entry.cases) {
  test(`${at}, after «${words.join(" ")}»: «${typed}»`, () => {
    const { legal, aliases } = positions[at];
    const parsed = parseAfter(legal, { words, pieces: [] }, typed, aliases);
    assert.deepEqual(parsed?.words ?? null, gives);
  });
}
