// The last states of games, for when the server cannot be reached.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { keepState, lastState } from "../../src/duelbook/web/static/last_states.js";
import { installStorage, snapshot } from "./fakes.js";

beforeEach(() => installStorage());

test("the last state of a game is kept, and the latest games alone", () => {
  for (let n = 0; n < 9; n += 1) keepState(snapshot({ id: `g${n}` }));
  keepState(snapshot({ id: "g8", turn: 5 }));
  assert.equal(lastState("g8")?.turn, 5);
  assert.equal(lastState("g0"), undefined);
});

test("nothing is kept of a game at one device, which may show a hand, nor of one only watched", () => {
  keepState(snapshot({ id: "g1", seats: [0, 1] }));
  keepState(snapshot({ id: "g2", seats: [] }));
  assert.equal(lastState("g1"), undefined);
  assert.equal(lastState("g2"), undefined);
});

test("a browser that keeps nothing, or another program's text, does no harm", () => {
  installStorage({ "duelbook.last": "{" });
  assert.equal(lastState("g1"), undefined);
  installStorage(null);
  keepState(snapshot());
  assert.equal(lastState("g1"), undefined);
});
