// Moves are shown one after the other, without further delay.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Staging } from "../../src/duelbook/web/static/staging.js";
import { snapshot } from "./fakes.js";

/** @import { Snapshot } from "../../src/duelbook/web/static/protocol.js" */

const MOVE = 600;

/** @type {{ moves: number, hasMoved: boolean, at: number, over: boolean, takeback?: number }[]} */
let shown = [];
/** @type {{ call: () => void, at: number, id: number }[]} */
let timers = [];
let now = 0;
let isStill = false;
let fails = false;

beforeEach(() => {
  [shown, timers, now, isStill, fails] = [[], [], 0, false, false];
});

const clock = {
  setTimeout: (/** @type {() => void} */ call, /** @type {number} */ delay) => {
    const id = now * 100 + timers.length + 1;
    timers.push({ call, at: now + delay, id });
    return id;
  },
  clearTimeout: (/** @type {any} */ id) => {
    timers = timers.filter((timer) => timer.id !== id);
  },
};

/** Let time pass. */
function pass(/** @type {number} */ time) {
  const until = now + time;
  for (;;) {
    const due = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
    if (!due) break;
    timers = timers.filter((timer) => timer !== due);
    now = due.at;
    due.call();
  }
  now = until;
}

/**
 * The game after `count` moves.
 *
 * @param {number} count
 * @param {Partial<Snapshot["status"]>} [status]
 * @param {number} [turn]
 */
const after = (count, status = {}, turn = count) =>
  snapshot({ turn, seq: turn + 2, moves: Array(count).fill("move") }, status);

const stage = () =>
  new Staging(
    after(0),
    {
      show: ({ moves, status }, hasMoved) => {
        const { takeback, result } = status;
        shown.push({ moves: moves.length, hasMoved, at: now, over: Boolean(result), takeback });
        if (fails) throw new Error("It cannot be drawn.");
        return MOVE;
      },
      isStill: () => isStill,
    },
    clock,
  );

const WON = { result: { winner: 0, by: /** @type {const} */ ("play") } };
const movesSeen = () =>
  shown.filter(({ hasMoved }) => hasMoved).map(({ moves, at }) => [moves, at]);

test("the own move plays out, and after a pause the answer does", () => {
  const staging = stage();
  staging.add(after(1), true);
  pass(30);
  staging.add(after(2));
  assert.deepEqual(movesSeen(), [[1, 0]]);
  assert.ok(staging.isBehind);
  pass(MOVE - 31);
  assert.equal(movesSeen().length, 1);
  pass(500);
  assert.deepEqual(
    movesSeen().map(([moves]) => moves),
    [1, 2],
  );
  assert.ok(movesSeen()[1][1] > MOVE, "there is a pause between the moves");
  assert.ok(!staging.isBehind);
});

test("a move that comes when nothing plays is shown at once", () => {
  const staging = stage();
  staging.add(after(1));
  pass(5000);
  staging.add(after(2));
  assert.deepEqual(movesSeen(), [
    [1, 0],
    [2, 5000],
  ]);
});

test("several moves are shown in their order, chance's too", () => {
  const staging = stage();
  for (const count of [1, 2, 3]) staging.add(after(count));
  pass(10_000);
  assert.deepEqual(
    movesSeen().map(([moves]) => moves),
    [1, 2, 3],
  );
});

test("a player who moves while the answer still plays does not wait", () => {
  const staging = stage();
  staging.add(after(1));
  pass(100);
  staging.add(after(2), true);
  assert.deepEqual(movesSeen(), [
    [1, 0],
    [2, 100],
  ]);
});

test("a long backlog is not played out", () => {
  const staging = stage();
  for (let count = 1; count <= 5; count += 1) staging.add(after(count));
  assert.deepEqual(movesSeen(), [
    [1, 0],
    [5, 0],
  ]);
  pass(10_000);
  assert.equal(movesSeen().length, 2);
});

test("a takeback shows the game as it is now", () => {
  const staging = stage();
  staging.add(after(1), true);
  staging.add(after(2));
  staging.add(after(0, {}, 3));
  assert.equal(staging.shown.moves.length, 0);
  pass(10_000);
  assert.equal(shown[shown.length - 1].moves, 0);
});

test("a new connection shows the game as it is now", () => {
  const staging = stage();
  staging.add(after(1), true);
  staging.add(after(2));
  staging.replace(after(4));
  assert.equal(staging.shown.moves.length, 4);
  pass(10_000);
  assert.equal(shown[shown.length - 1].moves, 4);
});

test("without motion, and in a tab that nobody sees, everything is shown at once", () => {
  const staging = stage();
  isStill = true;
  staging.add(after(1), true);
  staging.add(after(2));
  assert.deepEqual(movesSeen(), [
    [1, 0],
    [2, 0],
  ]);
});

test("a tab that is hidden in between catches up", () => {
  const staging = stage();
  staging.add(after(1), true);
  staging.add(after(2));
  staging.catchUp();
  assert.ok(!staging.isBehind);
  assert.equal(staging.shown.moves.length, 2);
  pass(10_000);
  assert.equal(movesSeen().length, 2);
});

test("what is no move is seen at once, while a move plays and while one waits", () => {
  const staging = stage();
  staging.add(after(1), true);
  staging.add(after(1, { takeback: 1 }));
  assert.deepEqual(shown[1], { moves: 1, hasMoved: false, at: 0, over: false, takeback: 1 });
  staging.add(after(2));
  staging.add(after(2, { takeback: 0 }));
  const now = shown[shown.length - 1];
  assert.deepEqual([now.moves, now.takeback], [1, 0]);
  pass(10_000);
  assert.deepEqual([staging.shown.moves.length, staging.shown.status.takeback], [2, 0]);
});

test("the clocks are those of now, also while the answer waits", () => {
  const staging = stage();
  staging.add(after(1, { clocks: { left: [5000, 5000], running: 1 } }), true);
  staging.add(after(2, { clocks: { left: [5000, 4900], running: 0 } }));
  assert.equal(staging.shown.moves.length, 1);
  assert.equal(staging.shown.status.clocks?.running, 0);
});

test("the end comes with the move that brings it", () => {
  const staging = stage();
  staging.add(after(1), true);
  staging.add(after(2, WON));
  assert.ok(shown.every(({ over }) => !over));
  pass(MOVE + 500);
  assert.ok(shown[shown.length - 1].over);
});

test("an end without a move waits for the moves before it, and no longer", () => {
  const staging = stage();
  staging.add(after(1), true);
  staging.add(after(2));
  staging.add(after(2, WON));
  assert.ok(shown.every(({ over }) => !over));
  pass(MOVE + 500);
  assert.deepEqual(
    shown.filter(({ over }) => over).map(({ moves }) => moves),
    [2],
  );
  staging.add(after(2, { ...WON, rematch: [true, false] }));
  assert.deepEqual(staging.newest, staging.shown);
});

test("a move that cannot be drawn does not hold up the next", () => {
  const staging = stage();
  fails = true;
  assert.throws(() => staging.add(after(1), true));
  fails = false;
  staging.add(after(2));
  pass(10_000);
  assert.equal(staging.shown.moves.length, 2);
});
