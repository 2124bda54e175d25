// The last states of games, for when the server cannot be reached.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { lastState, storeState } from "../../src/duelbook/web/static/last_states.js";
import { installStorage, snapshot } from "./fakes.js";

beforeEach(() => installStorage());

test("the last states of the latest games are stored", () => {
  for (let n = 0; n < 9; n += 1) storeState(snapshot({ id: `g${n}` }));
  storeState(snapshot({ id: "g8", turn: 5 }));
  assert.equal(lastState("g8")?.turn, 5);
  assert.equal(lastState("g0"), undefined);
});

test("games at one device and watched games are not stored", () => {
  storeState(snapshot({ id: "g1", seats: [0, 1] }));
  storeState(snapshot({ id: "g2", seats: [] }));
  assert.equal(lastState("g1"), undefined);
  assert.equal(lastState("g2"), undefined);
});

test("missing storage and invalid content are ignored", () => {
  installStorage({ "duelbook.last": "{" });
  assert.equal(lastState("g1"), undefined);
  installStorage(null);
  storeState(snapshot());
  assert.equal(lastState("g1"), undefined);
});
