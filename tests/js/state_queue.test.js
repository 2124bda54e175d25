// Moves are shown one after the other, without further delay.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { StateQueue } from "../../src/duelbook/web/static/state_queue.js";
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
  new StateQueue(
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

test("the player's move is shown, and the answer after a pause", () => {
  const states = stage();
  states.add(after(1), true);
  pass(30);
  states.add(after(2));
  assert.deepEqual(movesSeen(), [[1, 0]]);
  assert.ok(states.isBehind);
  pass(MOVE - 31);
  assert.equal(movesSeen().length, 1);
  pass(500);
  assert.deepEqual(
    movesSeen().map(([moves]) => moves),
    [1, 2],
  );
  assert.ok(movesSeen()[1][1] > MOVE, "there is a pause between the moves");
  assert.ok(!states.isBehind);
});

test("a move without a running animation is shown at once", () => {
  const states = stage();
  states.add(after(1));
  pass(5000);
  states.add(after(2));
  assert.deepEqual(movesSeen(), [
    [1, 0],
    [2, 5000],
  ]);
});

test("several moves are shown in order, including chance outcomes", () => {
  const states = stage();
  for (const count of [1, 2, 3]) states.add(after(count));
  pass(10_000);
  assert.deepEqual(
    movesSeen().map(([moves]) => moves),
    [1, 2, 3],
  );
});

test("a player's move does not wait for an animation", () => {
  const states = stage();
  states.add(after(1));
  pass(100);
  states.add(after(2), true);
  assert.deepEqual(movesSeen(), [
    [1, 0],
    [2, 100],
  ]);
});

test("a long backlog is skipped", () => {
  const states = stage();
  for (let count = 1; count <= 5; count += 1) states.add(after(count));
  assert.deepEqual(movesSeen(), [
    [1, 0],
    [5, 0],
  ]);
  pass(10_000);
  assert.equal(movesSeen().length, 2);
});

test("a takeback shows the newest state", () => {
  const states = stage();
  states.add(after(1), true);
  states.add(after(2));
  states.add(after(0, {}, 3));
  assert.equal(states.shown.moves.length, 0);
  pass(10_000);
  assert.equal(shown[shown.length - 1].moves, 0);
});

test("a new connection shows the newest state", () => {
  const states = stage();
  states.add(after(1), true);
  states.add(after(2));
  states.replace(after(4));
  assert.equal(states.shown.moves.length, 4);
  pass(10_000);
  assert.equal(shown[shown.length - 1].moves, 4);
});

test("without animations every state is shown at once", () => {
  const states = stage();
  isStill = true;
  states.add(after(1), true);
  states.add(after(2));
  assert.deepEqual(movesSeen(), [
    [1, 0],
    [2, 0],
  ]);
});

test("a hidden tab catches up", () => {
  const states = stage();
  states.add(after(1), true);
  states.add(after(2));
  states.catchUp();
  assert.ok(!states.isBehind);
  assert.equal(states.shown.moves.length, 2);
  pass(10_000);
  assert.equal(movesSeen().length, 2);
});

test("changes that are not moves are shown at once", () => {
  const states = stage();
  states.add(after(1), true);
  states.add(after(1, { takeback: 1 }));
  assert.deepEqual(shown[1], { moves: 1, hasMoved: false, at: 0, over: false, takeback: 1 });
  states.add(after(2));
  states.add(after(2, { takeback: 0 }));
  const now = shown[shown.length - 1];
  assert.deepEqual([now.moves, now.takeback], [1, 0]);
  pass(10_000);
  assert.deepEqual([states.shown.moves.length, states.shown.status.takeback], [2, 0]);
});

test("the newest clocks are shown while a move waits", () => {
  const states = stage();
  states.add(after(1, { clocks: { left: [5000, 5000], running: 1 } }), true);
  states.add(after(2, { clocks: { left: [5000, 4900], running: 0 } }));
  assert.equal(states.shown.moves.length, 1);
  assert.equal(states.shown.status.clocks?.running, 0);
});

test("the result is shown with the last move", () => {
  const states = stage();
  states.add(after(1), true);
  states.add(after(2, WON));
  assert.ok(shown.every(({ over }) => !over));
  pass(MOVE + 500);
  assert.ok(shown[shown.length - 1].over);
});

test("a result without a move waits for the moves before it", () => {
  const states = stage();
  states.add(after(1), true);
  states.add(after(2));
  states.add(after(2, WON));
  assert.ok(shown.every(({ over }) => !over));
  pass(MOVE + 500);
  assert.deepEqual(
    shown.filter(({ over }) => over).map(({ moves }) => moves),
    [2],
  );
  states.add(after(2, { ...WON, rematch: [true, false] }));
  assert.deepEqual(states.newest, states.shown);
});

test("an error in one move does not block the next", () => {
  const states = stage();
  fails = true;
  assert.throws(() => states.add(after(1), true));
  fails = false;
  states.add(after(2));
  pass(10_000);
  assert.equal(states.shown.moves.length, 2);
});
