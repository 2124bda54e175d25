// A game as the server's messages make it, and what the page says of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as state from "../../src/duelbook/web/static/game_state.js";
import { CHANCE } from "../../src/duelbook/web/static/protocol.js";
import { OPEN, snapshot } from "./fakes.js";

/** @import { Update } from "../../src/duelbook/web/static/protocol.js" */

const BEGUN = snapshot({
  ...{ seq: 4, turn: 2, moves: ["build 4", "attack"], movers: [0, 1] },
  told: ["Your tower is 4 high.", "Opponent's tower is 1 high."],
  said: ["You build 4 units, up to 4.", "Bo attacks: your tower is down to 1 unit."],
});
const PRESENT = { type: /** @type {const} */ ("presence"), seats: [true, false], watching: 2 };

/**
 * @param {Partial<Update>} changes
 * @returns {Update}
 */
const update = (changes) => ({ type: "update", seq: 5, turn: 3, kept: 2, ...changes });

test("a new move is added after the earlier ones", () => {
  const view = { ...BEGUN.view, to_move: 1 };
  const told = ["Bo waits."];
  const said = ["You build 1 unit, up to 2."];
  const news = update({ moves: ["build 1"], movers: [0], told, said, view });
  const after = state.applyUpdate(BEGUN, news);
  assert.deepEqual(after?.moves, ["build 4", "attack", "build 1"]);
  assert.deepEqual(after?.movers, [0, 1, 0]);
  assert.equal(after?.told[2], "Bo waits.");
  assert.equal(after?.said[2], "You build 1 unit, up to 2.");
  assert.equal(after?.view.to_move, 1);
  assert.equal(after?.turn, 3);
});

test("a move that is taken back is removed", () => {
  const after = state.applyUpdate(BEGUN, update({ kept: 1 }));
  assert.deepEqual(after?.moves, ["build 4"]);
  assert.deepEqual(after?.said, ["You build 4 units, up to 4."]);
  assert.equal(after && state.describeNews(BEGUN, after, false), "The last move was taken back.");
});

test("a hidden move is replaced when it is revealed", () => {
  const before = snapshot({ seq: 1, moves: ["attack ?"], movers: [1], told: [""] });
  const moves = ["attack 6", "defend 2"];
  const revealed = update({ kept: 0, moves, movers: [1, 0], told: ["", "Reveal"] });
  assert.deepEqual(state.applyUpdate(before, revealed)?.moves, moves);
});

test("missing fields of an update change nothing", () => {
  const after = state.applyUpdate(BEGUN, update({}));
  assert.equal(after?.status, BEGUN.status);
  assert.equal(after?.view, BEGUN.view);
});

test("an update that is older than the snapshot changes nothing", () => {
  assert.equal(state.applyUpdate(BEGUN, update({ seq: 4, moves: ["build 1"] })), null);
});

test("an update does not modify the previous snapshot", () => {
  state.applyUpdate(BEGUN, update({ kept: 0, moves: ["build 1"], movers: [0], told: [""] }));
  assert.deepEqual(BEGUN.moves, ["build 4", "attack"]);
});

test("a declined takeback is announced", () => {
  const requested = snapshot({}, { takeback: 0 });
  const declined = snapshot({ seq: 3 });
  const news = state.describeNews(requested, declined, false);
  assert.equal(news, "Bo declines to take the move back.");
  assert.equal(state.describeNews(requested, declined, true), null);
});

test("a player without a name is called by the seat number", () => {
  const chairs = [
    { kind: /** @type {const} */ ("person"), name: "Ann" },
    { kind: /** @type {const} */ ("person"), name: "" },
  ];
  assert.deepEqual(state.playerNames(snapshot({}, { chairs })), ["Ann", "Player 2"]);
});

test("a player has the turn only while the game continues and both seats are taken", () => {
  assert.ok(state.isMyTurn(snapshot()));
  assert.ok(!state.isMyTurn(snapshot({}, {}, { to_move: 1 })));
  assert.ok(!state.isMyTurn(snapshot({}, OPEN)));
  assert.ok(!state.isMyTurn(snapshot({}, { result: { winner: 1, by: "time" } })));
  assert.ok(!state.isMyTurn(snapshot({ seats: [] })));
});

test("the heading says who is to move or who has won", () => {
  const text = (/** @type {Parameters<typeof snapshot>} */ ...changes) =>
    state.describeState(snapshot(...changes)).text;
  assert.equal(text(), "Your turn");
  assert.equal(text({}, {}, { to_move: 1 }), "Bo is to move");
  assert.equal(text({ seats: [] }), "Ann is to move");
  assert.equal(text({ seats: [0, 1] }), "Ann is to move");
  assert.equal(text({}, OPEN), "Waiting for the other player");
  assert.equal(text({}, { result: { winner: 1, by: "play" } }), "Bo wins");
  assert.equal(text({}, { result: { winner: null, by: "draw" } }), "The game is a draw");
  assert.equal(text({}, { result: { winner: null, by: "aborted" } }), "The game is aborted");
});

test("the heading of a game with scores has the payoff", () => {
  const result = { winner: 0, by: /** @type {const} */ ("play"), payoffs: [2, -2] };
  assert.equal(state.describeState(snapshot({}, { result })).text, "You win 2");
  assert.equal(state.describeState(snapshot({ seats: [] }, { result })).text, "Ann wins 2");
});

test("at a chance node nobody is to move", () => {
  const drawn = { moves: ["roll", "die 4"], movers: [0, CHANCE], said: ["", "You roll a 4."] };
  const rolling = snapshot(drawn, {}, { to_move: CHANCE, turn: "" });
  assert.deepEqual(state.describeState(rolling), { text: "Chance decides", seat: CHANCE });
  assert.equal(state.describeLastMove(rolling), "You roll a 4.");
  assert.ok(!state.isMyTurn(rolling));
  assert.deepEqual(state.logTexts(rolling).slice(1), ["You roll a 4."]);
});

test("a computer that prepares is marked", () => {
  const chairs = [
    { kind: /** @type {const} */ ("person"), name: "Ann" },
    { kind: /** @type {const} */ ("computer"), name: "Computer (hard)", level: "hard" },
  ];
  const about = state.describePlayer(snapshot({}, { chairs }), 1, { ...PRESENT, preparing: true });
  assert.equal(about, "preparing");
});

test("the last move is described by the last sentence of the server", () => {
  assert.equal(state.describeLastMove(BEGUN), "Bo attacks: your tower is down to 1 unit.");
  const silent = snapshot({ said: ["Bo passes.", ""] });
  assert.equal(state.describeLastMove(silent), "Bo passes.");
  assert.equal(state.describeLastMove(snapshot()), "");
});

test("movers are called you, the computer, or by their names", () => {
  const chairs = [
    { kind: /** @type {const} */ ("computer"), name: "Computer (easy)", level: "easy" },
    { kind: /** @type {const} */ ("person"), name: "bo" },
  ];
  const seenBy = (/** @type {number[]} */ seats) => snapshot({ seats }, { chairs });
  const both = (/** @type {number[]} */ seats) =>
    [0, 1].map((s) => state.moverName(seenBy(seats), s));
  assert.deepEqual(both([1]), ["the computer", "you"]);
  assert.deepEqual(both([]), ["the computer", "bo"]);
  assert.equal(state.moverNameAtStart(seenBy([1]), 0), "The computer");
  assert.equal(state.moverNameAtStart(seenBy([1]), 1), "You");
  assert.equal(state.moverNameAtStart(seenBy([]), 1), "bo");
  assert.equal(state.moverNameAtStart(seenBy([1]), CHANCE), "Chance");
});

test("the label of a shape has its owner", () => {
  const label = (/** @type {number} */ seat, /** @type {string} */ what) =>
    state.ownedLabel(snapshot(), seat, what);
  assert.deepEqual([label(0, "ships"), label(1, "ships")], ["Your ships", "Bo's ships"]);
  assert.deepEqual([label(0, ""), label(1, "")], ["You", "Bo"]);
});

test("two players at one device have a curtain before a hidden choice", () => {
  const hiddenChoice = { sealed: true };
  assert.ok(state.needsCurtain(snapshot({ seats: [0, 1] }, {}, hiddenChoice)));
  assert.ok(!state.needsCurtain(snapshot({ seats: [0] }, {}, hiddenChoice)));
  assert.ok(!state.needsCurtain(snapshot({ seats: [0, 1] })));
  assert.ok(state.needsCurtain(snapshot({ seats: [0, 1] }, {}, { private: true })));
});

test("hidden information is found anywhere in a position", () => {
  assert.ok(state.hasSecret(snapshot({ moves: ["attack ?"] })));
  assert.ok(state.hasSecret(snapshot({}, {}, { position: { hands: [[{ hidden: true }]] } })));
  assert.ok(!state.hasSecret(snapshot({}, {}, { position: { hands: [[1]], wish: null } })));
});

test("the evaluation needs the consent of both and no hidden information", () => {
  const help = { help: [true, true] };
  /** @type {{ type: "evaluation", turn: number, value: number, said: string }} */
  const evaluation = { type: "evaluation", turn: 0, value: 1, said: "" };
  assert.equal(state.shownEvaluation(snapshot({}, help), evaluation), evaluation);
  assert.equal(state.shownEvaluation(snapshot({}, { help: [true, false] }), evaluation), null);
  assert.equal(state.shownEvaluation(snapshot({ turn: 1 }, help), evaluation), null);
  assert.equal(state.shownEvaluation(snapshot({ moves: ["attack ?"] }, help), evaluation), null);
  const over = { ...help, result: { winner: 0, by: /** @type {const} */ ("play") } };
  assert.equal(state.shownEvaluation(snapshot({}, over), evaluation), null);
});

test("the line below a name describes the player", () => {
  const about = (/** @type {number} */ seat) => state.describePlayer(snapshot(), seat, PRESENT);
  assert.equal(about(0), "you, to move");
  assert.equal(about(1), "away");
  assert.equal(state.describePlayer(snapshot({ seats: [] }), 0, PRESENT), "online, to move");
  assert.equal(state.describePlayer(snapshot({}, OPEN), 1, PRESENT), "not here yet");
  const won = snapshot({}, { result: { winner: 0, by: "play" } });
  assert.equal(state.describePlayer(won, 0, PRESENT), "you, winner");
});

test("a player without a name is You on their own card", () => {
  /** @type {{ kind: "person", name: string }[]} */
  const [first, second] = [1, 2].map((number) => ({ kind: "person", name: `Player ${number}` }));
  const nameless = snapshot({}, { chairs: [first, second] });
  assert.equal(state.cardName(nameless, 0), "You");
  assert.equal(state.cardName(nameless, 1), "Player 2");
  assert.equal(state.describePlayer(nameless, 0, PRESENT), "to move");
  assert.equal(state.cardName(snapshot(), 0), "Ann");
});

test("a spectator does not count as another spectator", () => {
  assert.equal(state.countSpectators(snapshot(), PRESENT), 2);
  assert.equal(state.countSpectators(snapshot({ seats: [] }), PRESENT), 1);
});

test("the list of games names the opponent", () => {
  assert.equal(state.describeOpponent(snapshot()), "against Bo");
  assert.equal(state.describeOpponent(snapshot({ seats: [0, 1] })), "at one device");
  assert.equal(state.describeOpponent(snapshot({}, OPEN)), "waiting for a friend");
  assert.equal(state.describeOpponent(snapshot({ seats: [] })), undefined);
});

test("the log has the first player, each move and the end", () => {
  const result = {
    winner: 0,
    by: /** @type {const} */ ("time"),
    why: "Bo runs out of time, so you win.",
  };
  assert.deepEqual(state.logTexts({ ...BEGUN, status: { ...BEGUN.status, result } }), [
    "Welcome to A Game. You start.",
    "You build 4 units, up to 4.",
    "Bo attacks: your tower is down to 1 unit.",
    "Bo runs out of time, so you win.",
  ]);
  assert.deepEqual(state.logTexts(snapshot({ seats: [1] })), ["Welcome to A Game. Ann starts."]);
  assert.deepEqual(state.logTexts(snapshot({}, OPEN)), ["Welcome to A Game."]);
});
