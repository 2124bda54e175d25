// What is worth seeing of a move.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moveEvents } from "../../src/duelbook/web/static/move_events.js";

/** @import { Scene, Shape, Slot } from "../../src/duelbook/web/static/protocol.js" */

/**
 * The events of the last of some moves, which the seats make in turn.
 *
 * @param {Scene} before
 * @param {Scene} after
 * @param {string[]} moves
 */
function events(before, after, moves) {
  const movers = moves.map((_, at) => at % 2);
  return moveEvents({ scene: before, moves: [], movers: [] }, { scene: after, moves, movers });
}

/**
 * @param {string} form
 * @param {number} value
 * @param {number} [limit]
 * @returns {Shape}
 */
const gauge = (form, value, limit = 15) => ({
  ...{ shape: "gauge", label: "Height", value, limit, seat: 0, form },
});

/**
 * @param {string} form
 * @param {number | null} count
 * @param {number} [seat]
 * @returns {Shape}
 */
const stack = (form, count, seat = 0) => ({ shape: "stack", label: "Pile", count, seat, form });

/**
 * @param {string} form
 * @param {Slot[]} slots
 * @param {number} [seat]
 * @returns {Shape}
 */
const slots = (form, slots, seat) => ({ shape: "slots", label: form, slots, seat, form });

const free = { name: "1", says: "planet 1" };
const docked = slots("ships", [{ name: "4", says: "ship 4" }], 0);
const used = slots("ships", [{ name: "4", spent: true }], 0);

test("a ship that conquers a planet flies there and lands", () => {
  const before = [slots("planets", [free]), docked];
  const after = [slots("planets", [{ ...free, seat: 0 }]), used];
  assert.deepEqual(events(before, after, ["planet 1 ship 4"]), [
    { kind: "fly", from: "1/0", to: "0/0", lands: true },
  ]);
});

test("a ship that is too small bounces off", () => {
  const planets = slots("planets", [free]);
  assert.deepEqual(events([planets, docked], [planets, used], ["planet 1 ship 4"]), [
    { kind: "fly", from: "1/0", to: "0/0", lands: false },
  ]);
});

test("a unit walks along its cells, then the other unit is sent home", () => {
  const bases = /** @type {[number, number]} */ ([0, 5]);
  /** @type {Scene} */
  const before = [{ shape: "track", last: 5, units: [1, 3], bases }];
  /** @type {Scene} */
  const after = [{ shape: "track", last: 5, units: [3, 5], bases }];
  assert.deepEqual(events(before, after, ["move 2"]), [
    { kind: "walk", shape: 0, seat: 0, cells: [1, 2, 3], isSentHome: false },
    { kind: "walk", shape: 0, seat: 1, cells: [3, 4, 5], isSentHome: true },
  ]);
});

test("both commitments are revealed, and their costs are counted", () => {
  const before = [stack("coins", 9, 0), stack("coins", 9, 1), stack("envelope", null, 0)];
  const after = [stack("coins", 11, 0), stack("coins", 7, 1)];
  assert.deepEqual(events(before, after, ["attack 6", "defend 2"]), [
    {
      kind: "reveal",
      cards: [
        { seat: 0, count: 6 },
        { seat: 1, count: 2 },
      ],
    },
    { kind: "count", place: "0", by: 2 },
    { kind: "count", place: "1", by: -2 },
  ]);
});

test("a choice stays hidden until both are known", () => {
  const coins = [stack("coins", 9, 0), stack("coins", 9, 1)];
  const committed = [...coins, stack("envelope", null, 0)];
  assert.deepEqual(events(coins, committed, ["attack ?"]), []);
  assert.deepEqual(events(committed, coins, ["attack ?", "defend 2"]), []);
});

test("a tower breaks when it passes its limit, and not again", () => {
  const kinds = (/** @type {number} */ from, /** @type {number} */ to) =>
    events([gauge("tower", from)], [gauge("tower", to)], ["build 4"]).map(({ kind }) => kind);
  assert.deepEqual(kinds(11, 15), ["count"]);
  assert.deepEqual(kinds(14, 18), ["count", "fall"]);
  assert.deepEqual(kinds(16, 18), ["count"]);
});

test("the sea rises and an island sinks", () => {
  const before = [gauge("island", 2, 30), stack("sea", 4)];
  const after = [gauge("island", -1, 30), stack("sea", 7)];
  assert.deepEqual(
    events(before, after, ["rise 3"]).map(({ kind }) => kind),
    ["count", "sink", "rise"],
  );
});

test("hidden amounts are not counted", () => {
  assert.deepEqual(events([stack("", null)], [stack("", 4)], ["show"]), []);
  assert.deepEqual(events([stack("", 4)], [stack("", null)], ["hide"]), []);
});
