// The text for a player whose opponent does not begin, or has left.

import assert from "node:assert/strict";
import { test } from "node:test";
import { overdueNotice } from "../../src/duelbook/web/static/overdue_panel.js";
import { OPEN, snapshot } from "./fakes.js";

/** @import { Overdue, Presence } from "../../src/duelbook/web/static/protocol.js" */

const BO_MOVES = snapshot({ turn: 7 }, {}, { to_move: 1 });

/**
 * @param {Overdue} [overdue]
 * @param {boolean[]} [seats]
 * @returns {Presence}
 */
const presence = (overdue, seats = [true, true]) => ({
  type: "presence",
  seats,
  watching: 0,
  overdue,
});
const FIRST_MOVE = presence({ may: "abort", after: 60_000 });
const LEFT = presence({ may: "claim", after: 60_000 }, [true, false]);

test("a player who waits for a first move sees when it is overdue, and then may abort", () => {
  const soon = overdueNotice(BO_MOVES, FIRST_MOVE, 0);
  assert.deepEqual(soon, { text: "Bo has not moved yet. In 1 minute you can abort.", choices: [] });
  assert.match(
    overdueNotice(BO_MOVES, FIRST_MOVE, 55_500)?.text ?? "",
    /In 5 seconds you can abort/,
  );
  const now = overdueNotice(BO_MOVES, FIRST_MOVE, 60_000);
  assert.deepEqual(now?.choices, [["Abort the game", { type: "abort", answers: 7 }]]);
});

test("a player who must make a first move sees the time limit", () => {
  const shown = (/** @type {number} */ elapsed) => overdueNotice(snapshot(), FIRST_MOVE, elapsed);
  assert.deepEqual(shown(20_000), { text: "Make your first move within 40 seconds.", choices: [] });
  const late = "Make your first move: Bo can abort the game.";
  assert.deepEqual(shown(60_000), { text: late, choices: [] });
});

test("a player may claim victory or a draw after the opponent left", () => {
  const soon = "Bo has left. In 30 seconds you can claim victory.";
  assert.deepEqual(overdueNotice(BO_MOVES, LEFT, 30_000), { text: soon, choices: [] });
  assert.deepEqual(overdueNotice(BO_MOVES, LEFT, 60_001), {
    text: "Bo has left.",
    choices: [
      ["Claim victory", { type: "claim", result: "victory", answers: 7 }],
      ["Claim draw", { type: "claim", result: "draw", answers: 7 }],
    ],
  });
});

test("a game that an opponent left before the first move can only be aborted", () => {
  const absent = presence({ may: "abort", after: 1_000 }, [true, false]);
  const notice = overdueNotice(BO_MOVES, absent, 1_000);
  assert.equal(notice?.text, "Bo has left.");
  assert.deepEqual(
    notice?.choices.map(([label]) => label),
    ["Abort the game"],
  );
});

test("nobody else sees the panel", () => {
  const watching = snapshot({ seats: [] }, {}, { to_move: 1 });
  const both = snapshot({ seats: [0, 1] }, {}, { to_move: 1 });
  const over = snapshot({}, { result: { winner: 0, by: "left" } }, { to_move: 1 });
  for (const state of [watching, both, over, snapshot({}, OPEN)]) {
    assert.equal(overdueNotice(state, LEFT, 90_000), null);
  }
  assert.equal(overdueNotice(BO_MOVES, presence(), 90_000), null);
});
