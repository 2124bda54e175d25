// How the games of a browser stand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describeStanding, inOrder } from "../../src/duelbook/web/static/standings.js";
import { OPEN, snapshot } from "./fakes.js";

/** @import { Seat, Status } from "../../src/duelbook/web/static/protocol.js" */

/**
 * @param {Partial<Status>} [status]
 * @param {Seat[]} [seats]
 * @param {number} [mover]
 */
function described(status = {}, seats = [0], mover = 0) {
  const { id, book, title, status: whole } = snapshot({}, status);
  const to_move = /** @type {0 | 1 | 2} */ (mover);
  return describeStanding({ id, book, title, seats, to_move, status: whole });
}

test("the list has the turn and the opponent", () => {
  assert.deepEqual(described(), { kind: "my-turn", text: "Your turn", opponent: "against Bo" });
  assert.deepEqual(described({}, [1]), {
    kind: "opponent-turn",
    text: "Ann is to move",
    opponent: "against Ann",
  });
  assert.equal(described({}, [0], 2).text, "Chance decides");
  assert.deepEqual(described(OPEN), { kind: "open", text: "Waiting for a friend", opponent: "" });
  assert.deepEqual(described({}, [0, 1]), {
    kind: "my-turn",
    text: "Ann is to move",
    opponent: "at one device",
  });
});

test("the list has the winner", () => {
  /** @type {Status["result"]} */
  const result = { winner: 0, by: "play" };
  assert.deepEqual(described({ result }).text, "You won");
  assert.equal(described({ result }).kind, "won");
  assert.equal(described({ result }, [1]).kind, "lost");
  assert.equal(described({ result }, [1]).text, "Ann won");
  assert.equal(described({ result }, [0, 1]).text, "Ann won");
  assert.equal(described({ result: { winner: null, by: "draw" } }).text, "Draw");
  const cancelled = described({ ...OPEN, result: { winner: null, by: "aborted" } });
  assert.equal(cancelled.text, "Aborted");
});

test("games in which the player is to move come first, finished games last", () => {
  const games = [
    { id: "old", kind: /** @type {const} */ ("won"), when: 9 },
    { id: "opponent-turn", kind: /** @type {const} */ ("opponent-turn"), when: 5 },
    { id: "my-turn", kind: /** @type {const} */ ("my-turn"), when: 1 },
    { id: "later", kind: /** @type {const} */ ("open"), when: 6 },
  ];
  assert.deepEqual(
    inOrder(games).map(({ id }) => id),
    ["my-turn", "later", "opponent-turn", "old"],
  );
});
