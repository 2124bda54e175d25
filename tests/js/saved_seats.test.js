// The seats that a browser keeps.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import {
  savedGames,
  savedName,
  savedSeat,
  saveName,
  saveSeat,
  updateSeat,
} from "../../src/duelbook/web/static/saved_seats.js";
import { installStorage } from "./fakes.js";

beforeEach(() => {
  installStorage();
  mock.timers.reset();
  mock.timers.enable({ apis: ["Date"], now: 1000 });
});

test("a seat is stored by its game", () => {
  saveSeat("g1", { secret: "s1", seats: [0], title: "A Game" });
  assert.equal(savedSeat("g1")?.secret, "s1");
  assert.equal(savedSeat("g2"), null);
});

test("the list of games has the latest first, and no secrets", () => {
  saveSeat("g1", { secret: "s1", title: "One" });
  mock.timers.tick(10);
  saveSeat("g2", { secret: "s2", title: "Two" });
  assert.deepEqual(
    savedGames().map(({ id, title }) => [id, title]),
    [
      ["g2", "Two"],
      ["g1", "One"],
    ],
  );
  assert.ok(!JSON.stringify(savedGames()).includes("s1"));
});

test("the oldest games are removed at the limit", () => {
  for (let n = 0; n < 70; n += 1) {
    saveSeat(`g${n}`, { secret: `s${n}` });
    mock.timers.tick(1);
  }
  assert.equal(savedGames().length, 60);
  assert.equal(savedSeat("g0"), null);
  assert.equal(savedSeat("g69")?.secret, "s69");
});

test("later facts about a game are stored with its seat", () => {
  saveSeat("g1", { secret: "s1" });
  updateSeat("g1", { opponent: "against Bo", over: true });
  assert.equal(savedGames()[0].opponent, "against Bo");
  assert.equal(savedSeat("g1")?.secret, "s1");
});

test("a watched game is not stored", () => {
  updateSeat("g1", { title: "A Game" });
  assert.deepEqual(savedGames(), []);
});

test("invalid content of the storage is ignored", () => {
  installStorage({ "duelbook.seats": "not JSON" });
  assert.deepEqual(savedGames(), []);
});

test("the player's name is stored", () => {
  assert.equal(savedName(), "");
  saveName("Ann");
  assert.equal(savedName(), "Ann");
});

test("without storage the name is empty", () => {
  installStorage(null);
  saveName("Ann");
  assert.equal(savedName(), "");
  assert.deepEqual(savedGames(), []);
});
