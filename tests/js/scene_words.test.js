// The picture in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sceneInWords } from "../../src/duelbook/web/static/scene_words.js";

/** @import { Scene } from "../../src/duelbook/web/static/protocol.js" */

const owned = (/** @type {number} */ seat, /** @type {string} */ what) =>
  `${["Your", "Bo's"][seat]} ${what}`.trim();

test("the text of every shape has its owner and value", () => {
  /** @type {Scene} */
  const scene = [
    { shape: "gauge", label: "island", value: 4, limit: 15, seat: 0 },
    { shape: "stack", label: "attack", count: null, seat: 1 },
    { shape: "stack", label: "Sea level", count: 3 },
    { shape: "slots", label: "ships", slots: [{ name: "1", spent: true }, { name: "2" }], seat: 1 },
    { shape: "slots", label: "Planets", slots: [{ name: "1", seat: 1 }, { name: "2" }] },
    { shape: "track", last: 10, units: [3, 8], bases: [0, 10] },
    { shape: "text", words: "Round 3" },
  ];
  assert.equal(
    sceneInWords(scene, owned),
    [
      "Your island: 4 of 15",
      "Bo's attack: hidden",
      "Sea level: 3",
      "Bo's ships: 2",
      "Planets: 1 (Bo's), 2",
      "Positions: 0 to 10",
      "Your unit: at 3, from base 0",
      "Bo's unit: at 8, from base 10",
      "Round 3",
    ].join("\n"),
  );
});

test("a row of spent slots is empty", () => {
  const slots = [{ name: "1", spent: true }];
  assert.equal(sceneInWords([{ shape: "slots", label: "Cards", slots }], owned), "Cards: none");
});
