// What a browser keeps of finished games, and the levels that follow from it.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { levelFor, storeLevel } from "../../src/duelbook/web/static/preferences.js";
import {
  finishedGames,
  importProgress,
  noteResult,
  parseProgress,
  progressText,
  tally,
} from "../../src/duelbook/web/static/progress.js";
import { installStorage, snapshot } from "./fakes.js";

/** @import { Status } from "../../src/duelbook/web/static/protocol.js" */

beforeEach(() => {
  installStorage();
  mock.timers.reset();
  mock.timers.enable({ apis: ["Date"], now: 1000 });
});

/**
 * A finished game of Ann's against a level, or against Bo.
 *
 * @param {string} id
 * @param {{ level?: string, winner?: 0 | 1 | null, by?: any, seats?: (0 | 1)[] }} [how]
 */
function finished(id, { level, winner = 0, by = "play", seats = [0] } = {}) {
  /** @type {Partial<Status>} */
  const status = { result: { winner, by } };
  const bo = level
    ? { kind: /** @type {const} */ ("computer"), name: "Computer", level }
    : { kind: /** @type {const} */ ("person"), name: "Bo" };
  return snapshot({ id, seats }, { ...status, chairs: [{ kind: "person", name: "Ann" }, bo] });
}

test("a finished game counts once, by opponent", () => {
  noteResult(snapshot());
  assert.deepEqual(finishedGames(), []);
  noteResult(finished("g1", { level: "easy" }));
  noteResult(finished("g1", { level: "easy" }));
  noteResult(finished("g2", { level: "easy", winner: 1 }));
  noteResult(finished("g3", { winner: null, by: "draw" }));
  const rows = tally(finishedGames(), ["easy", "perfect"]);
  assert.deepEqual(rows, [
    { level: "easy", won: 1, lost: 1, drawn: 0 },
    { level: "", won: 0, lost: 0, drawn: 1 },
  ]);
});

test("aborted, guided, watched and one-device games do not count", () => {
  noteResult(finished("g0", { level: "guide" }));
  noteResult(finished("g1", { winner: null, by: "aborted" }));
  noteResult(finished("g2", { seats: [] }));
  noteResult(finished("g3", { seats: [0, 1] }));
  assert.deepEqual(finishedGames(), []);
});

test("an imported file adds each game once", () => {
  noteResult(finished("g1", { level: "perfect" }));
  noteResult(finished("g2"));
  const file = progressText(finishedGames());
  assert.ok(!file.includes("secret"));
  installStorage();
  noteResult(finished("g2"));
  assert.equal(importProgress(file), 1);
  assert.equal(importProgress(file), 0);
  assert.deepEqual(
    finishedGames()
      .map(({ id }) => id)
      .sort(),
    ["g1", "g2"],
  );
});

test("an invalid file is refused and changes nothing", () => {
  noteResult(finished("g1"));
  const good = JSON.parse(progressText(finishedGames()));
  const bad = [
    ["", /not a progress file/],
    ["{}", /not a progress file/],
    ["[1]", /not a progress file/],
    [JSON.stringify({ ...good, games: 3 }), /not a progress file/],
    [JSON.stringify({ ...good, version: 2 }), /another version/],
    [JSON.stringify({ ...good, games: [...good.games, { id: "g9" }] }), /Game 2 .* not complete/],
    [JSON.stringify({ ...good, games: [{ ...good.games[0], result: "<b>" }] }), /Game 1/],
    [JSON.stringify({ ...good, games: [{ ...good.games[0], title: "x".repeat(200) }] }), /Game 1/],
    [JSON.stringify({ ...good, games: [null] }), /Game 1/],
  ];
  for (const [text, why] of bad) {
    assert.throws(() => importProgress(String(text)), { message: why });
    assert.deepEqual(
      finishedGames().map(({ id }) => id),
      ["g1"],
    );
  }
  assert.deepEqual(parseProgress(JSON.stringify(good)), good.games);
});

test("invalid content of the storage is ignored", () => {
  installStorage({ "duelbook.progress": "not JSON", "duelbook.levels": "not JSON" });
  assert.deepEqual(finishedGames(), []);
  assert.equal(levelFor("a-game"), "easy");
  installStorage(null);
  noteResult(finished("g1"));
  assert.equal(levelFor("a-game"), "easy");
});

test("the level is easy at first, then the one chosen last, and rises after two wins", () => {
  assert.equal(levelFor("a-game"), "easy");
  noteResult(finished("g1", { level: "easy" }));
  assert.equal(levelFor("a-game"), "easy");
  mock.timers.tick(1);
  noteResult(finished("g2", { level: "easy" }));
  assert.equal(levelFor("a-game"), "medium");
  assert.equal(levelFor("another-game"), "easy");
  mock.timers.tick(1);
  storeLevel("a-game", "easy"); // the player chose it again
  assert.equal(levelFor("a-game"), "easy");
  for (const id of ["e1", "e2"]) noteResult(finished(id, { level: "easy" }));
  assert.equal(levelFor("a-game"), "medium");
  mock.timers.tick(1);
  storeLevel("a-game", "easy");
  assert.equal(levelFor("a-game"), "easy");
  mock.timers.tick(1);
  storeLevel("a-game", "hard");
  noteResult(finished("g3", { level: "hard" }));
  mock.timers.tick(1);
  noteResult(finished("g4", { level: "hard", winner: 1 }));
  assert.equal(levelFor("a-game"), "hard");
  storeLevel("a-game", "perfect");
  for (const id of ["g5", "g6"]) noteResult(finished(id, { level: "perfect" }));
  assert.equal(levelFor("a-game"), "perfect");
  storeLevel("a-game", "mcts");
  for (const id of ["g7", "g8"]) noteResult(finished(id, { level: "mcts" }));
  assert.equal(levelFor("a-game"), "mcts");
});
