import assert from "node:assert/strict";
import { test } from "node:test";
import { coachedMove, guidedGame, isGuided } from "../../src/duelbook/web/static/first_game.js";
import { CHAIR } from "../../src/duelbook/web/static/protocol.js";
import { snapshot } from "./fakes.js";

const STEPS = [
  { move: "fortify", why: "It is safe.", replies: ["attack 3"] },
  { move: "defend 4", why: "It holds.", replies: [] },
  { move: "attack 7", why: "It wins.", replies: ["defend 4"] },
];

test("the guide coaches the next move while the game follows it", () => {
  const coached = (/** @type {string[]} */ ...moves) => coachedMove(STEPS, moves);
  assert.deepEqual(coached(), { move: "fortify", why: "It is safe.", at: 1, of: 3 });
  assert.equal(coached("fortify"), null);
  assert.deepEqual(coached("fortify", "attack ?"), {
    move: "defend 4",
    why: "It holds.",
    at: 2,
    of: 3,
  });
  const revealed = ["fortify", "attack 3", "defend 4"];
  assert.deepEqual(coached(...revealed), { move: "attack 7", why: "It wins.", at: 3, of: 3 });
  assert.equal(coached(...revealed, "attack 7"), null);
  assert.equal(coached(...revealed, "attack 7", "defend 4"), "done");
});

test("a game that leaves the guide is no longer coached", () => {
  assert.equal(coachedMove(STEPS, ["attack 1"]), "left");
  assert.equal(coachedMove(STEPS, ["fortify", "fortify"]), "left");
  assert.equal(coachedMove(STEPS, ["fortify", "defend ?"]), "left");
  assert.equal(coachedMove([], []), "done");
});

test("a game is guided if the opponent is the guide and the learner starts", () => {
  const guide = { kind: CHAIR.computer, name: "Computer (guide)", level: "guide" };
  const ann = { kind: CHAIR.person, name: "Ann" };
  const game = (/** @type {number[]} */ seats, /** @type {number} */ first, level = "guide") => {
    const chairs = seats[0] === 1 ? [{ ...guide, level }, ann] : [ann, { ...guide, level }];
    const plain = snapshot();
    return isGuided({ ...plain, seats, first, status: { ...plain.status, chairs } });
  };
  assert.ok(game([0], 0));
  assert.ok(!game([0], 0, "easy"));
  assert.ok(!game([0], 1));
  assert.ok(!game([1], 0)); // a rematch
  assert.ok(!game([], 0)); // a spectator
});

test("the request for a guided game has the guide and the first seat", () => {
  const { level, seat, first, help } = guidedGame("nim");
  assert.deepEqual([level, seat, first, help], ["guide", 0, 0, true]);
});
