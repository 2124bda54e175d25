// The end of a game, in words for the players at this device.

import assert from "node:assert/strict";
import { test } from "node:test";
import { headline } from "../../src/duelbook/web/static/end_panel.js";
import { snapshot } from "./fakes.js";

/** @import { Result } from "../../src/duelbook/web/static/protocol.js" */

/**
 * @param {Partial<Result>} result
 * @param {number[]} [seats]
 */
const ended = (result, seats = [0]) =>
  headline(snapshot({ seats }, { result: { winner: 0, by: "play", ...result } }));

test("the headline says whether the player has won", () => {
  assert.equal(ended({ winner: 0 }), "You win");
  assert.equal(ended({ winner: 1 }), "You lose");
  assert.equal(ended({ winner: 0, by: "time" }, [1]), "You lose");
});

test("spectators, and two players at one device, see the winner's name", () => {
  assert.equal(ended({ winner: 1 }, []), "Bo wins");
  assert.equal(ended({ winner: 0 }, [0, 1]), "Ann wins");
});

test("draws and aborted games have no winner", () => {
  assert.equal(ended({ winner: null, by: "agreement" }), "Draw");
  assert.equal(ended({ winner: null, by: "aborted" }), "The game is aborted");
});

test("the headline of a game with scores has the payoff", () => {
  assert.equal(ended({ winner: 0, payoffs: [2, -2] }), "You win 2");
  assert.equal(ended({ winner: 1, payoffs: [-2, 2] }, []), "Bo wins 2");
});
