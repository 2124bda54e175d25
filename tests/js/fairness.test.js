// Whether the page notices a server that cheats.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDraws, drawFromSeed } from "../../src/duelbook/web/static/fairness.js";
import { CHANCE } from "../../src/duelbook/web/static/protocol.js";
import { hashHex, hashNumber } from "../../src/duelbook/web/static/sha256.js";

const DIE = {
  moves: ["die 1", "die 2", "die 3", "die 4", "die 5", "die 6"],
  weights: [1, 1, 1, 1, 1, 1],
};
const SEED = "a seed";
const PROMISED = { commitment: hashHex(SEED), isEarly: true };
const DRAWS = { ...PROMISED, seed: SEED };
const TURNS = [1, 3, 4];
const DRAWN = TURNS.map((turn) => ({ turn, ...DIE }));
const FALLEN = DRAWN.map((drawn) => drawFromSeed(drawn, SEED) ?? "");
const GAME = {
  moves: ["roll", FALLEN[0], "roll", FALLEN[1], FALLEN[2], "hold"],
  movers: [0, CHANCE, 1, CHANCE, CHANCE, 0],
};

/** @param {string} move */
const other = (move) => (move === "die 6" ? "die 5" : "die 6");

test("SHA-256 gives the hashes that its standard prints", () => {
  const hashes = {
    "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    abc: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq:
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  };
  for (const [text, hash] of Object.entries(hashes)) assert.equal(hashHex(text), hash);
  const million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
  assert.equal(hashHex("a".repeat(1_000_000)), million);
  assert.equal(hashNumber("abc"), BigInt(`0x${hashes.abc}`));
});

test("SHA-256 agrees with the platform's at every length around a block", async () => {
  for (let length = 50; length < 140; length++) {
    const text = "é".repeat(length);
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0"));
    assert.equal(hashHex(text), hex.join(""));
  }
});

test("draws that follow from the promised seed are said to be fair", () => {
  const found = checkDraws(GAME, PROMISED, DRAWS, DRAWN);
  assert.equal(
    found?.text,
    "The draws were fair: all 3 draws follow from the seed that the server promised before the game.",
  );
  assert.ok(found?.isFair);
});

test("who comes after the game can only say that the published seed fits", () => {
  const found = checkDraws(GAME, { ...PROMISED, isEarly: false }, DRAWS, DRAWN);
  assert.match(found?.text ?? "", /that the server has published\.$/);
});

test("a seed that is not the promised one is found", () => {
  const found = checkDraws(GAME, PROMISED, { ...DRAWS, seed: "another" }, DRAWN);
  assert.match(found?.text ?? "", /^Warning.*not the one that the server promised/);
});

test("a seed that is withheld is found", () => {
  assert.ok(!checkDraws(GAME, PROMISED, { commitment: DRAWS.commitment }, DRAWN)?.isFair);
});

test("a promise that was replaced is found, although the new seed fits it", () => {
  const draws = { commitment: hashHex("another"), seed: "another" };
  assert.match(checkDraws(GAME, PROMISED, draws, DRAWN)?.text ?? "", /replaced the seed/);
});

test("the first draw that does not fit is named", () => {
  const moves = GAME.moves.with(3, other(FALLEN[1])).with(4, other(FALLEN[2]));
  const found = checkDraws({ ...GAME, moves }, PROMISED, DRAWS, DRAWN);
  assert.match(found?.text ?? "", new RegExp(`move 4, ${moves[3]}, does not follow`));
});

test("a draw of which the server tells nothing is not fair", () => {
  assert.ok(!checkDraws(GAME, PROMISED, DRAWS, DRAWN.slice(1))?.isFair);
  const nothing = DRAWN.map(({ turn }) => ({ turn, moves: [], weights: [] }));
  assert.ok(!checkDraws(GAME, PROMISED, DRAWS, nothing)?.isFair);
});

test("of a hidden draw, what is known of it must fit", () => {
  const hidden = (/** @type {string} */ seen) => ({ ...GAME, moves: GAME.moves.with(1, seen) });
  assert.ok(checkDraws(hidden("die ?"), PROMISED, DRAWS, DRAWN)?.isFair);
  assert.ok(checkDraws(hidden("?"), PROMISED, DRAWS, DRAWN)?.isFair);
  assert.ok(!checkDraws(hidden("coin ?"), PROMISED, DRAWS, DRAWN)?.isFair);
});

test("draws that came with a saved game are not the server's", () => {
  const moves = GAME.moves.with(1, other(FALLEN[0]));
  const found = checkDraws({ ...GAME, moves }, PROMISED, { ...DRAWS, since: 2 }, DRAWN.slice(1));
  assert.match(found?.text ?? "", /all 2 draws/);
});

test("of a game without a draw there is nothing to say", () => {
  assert.equal(checkDraws({ moves: ["hold"], movers: [0] }, PROMISED, DRAWS, []), null);
});
