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
const FIRST_COMMITMENT = { commitment: hashHex(SEED), isEarly: true };
const DRAWS = { ...FIRST_COMMITMENT, seed: SEED };
const TURNS = [1, 3, 4];
const CHANCE_DRAWS = TURNS.map((turn) => ({ turn, ...DIE }));
const FALLEN = CHANCE_DRAWS.map((drawn) => drawFromSeed(drawn, SEED) ?? "");
const GAME = {
  moves: ["roll", FALLEN[0], "roll", FALLEN[1], FALLEN[2], "hold"],
  movers: [0, CHANCE, 1, CHANCE, CHANCE, 0],
};

/** @param {string} move */
const otherFace = (move) => (move === "die 6" ? "die 5" : "die 6");

test("SHA-256 returns the hashes of its standard", () => {
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

test("SHA-256 equals the platform's around block lengths", async () => {
  for (let length = 50; length < 140; length++) {
    const text = "é".repeat(length);
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0"));
    assert.equal(hashHex(text), hex.join(""));
  }
});

test("draws that follow from the committed seed are fair", () => {
  const verdict = checkDraws(GAME, FIRST_COMMITMENT, DRAWS, CHANCE_DRAWS);
  assert.equal(
    verdict?.text,
    "The chance outcomes were fair: all 3 follow from the seed that the server promised before the game.",
  );
  assert.ok(verdict?.isFair);
});

test("a commitment that arrives after the game has another text", () => {
  const verdict = checkDraws(GAME, { ...FIRST_COMMITMENT, isEarly: false }, DRAWS, CHANCE_DRAWS);
  assert.match(verdict?.text ?? "", /that the server has published\.$/);
});

test("a seed that does not match the commitment is reported", () => {
  const verdict = checkDraws(GAME, FIRST_COMMITMENT, { ...DRAWS, seed: "another" }, CHANCE_DRAWS);
  assert.match(verdict?.text ?? "", /^Warning.*not the one that the server promised/);
});

test("a missing seed is reported", () => {
  assert.ok(
    !checkDraws(GAME, FIRST_COMMITMENT, { commitment: DRAWS.commitment }, CHANCE_DRAWS)?.isFair,
  );
});

test("a replaced commitment is reported, even if the new seed matches it", () => {
  const draws = { commitment: hashHex("another"), seed: "another" };
  assert.match(
    checkDraws(GAME, FIRST_COMMITMENT, draws, CHANCE_DRAWS)?.text ?? "",
    /replaced the seed/,
  );
});

test("the first draw that does not follow is reported", () => {
  const moves = GAME.moves.with(3, otherFace(FALLEN[1])).with(4, otherFace(FALLEN[2]));
  const verdict = checkDraws({ ...GAME, moves }, FIRST_COMMITMENT, DRAWS, CHANCE_DRAWS);
  assert.match(verdict?.text ?? "", new RegExp(`move 4, ${moves[3]}, does not follow`));
});

test("a draw without outcomes is not fair", () => {
  assert.ok(!checkDraws(GAME, FIRST_COMMITMENT, DRAWS, CHANCE_DRAWS.slice(1))?.isFair);
  const nothing = CHANCE_DRAWS.map(({ turn }) => ({ turn, moves: [], weights: [] }));
  assert.ok(!checkDraws(GAME, FIRST_COMMITMENT, DRAWS, nothing)?.isFair);
});

test("the visible part of a hidden draw must follow", () => {
  const hidden = (/** @type {string} */ seen) => ({ ...GAME, moves: GAME.moves.with(1, seen) });
  assert.ok(checkDraws(hidden("die ?"), FIRST_COMMITMENT, DRAWS, CHANCE_DRAWS)?.isFair);
  assert.ok(checkDraws(hidden("?"), FIRST_COMMITMENT, DRAWS, CHANCE_DRAWS)?.isFair);
  assert.ok(!checkDraws(hidden("coin ?"), FIRST_COMMITMENT, DRAWS, CHANCE_DRAWS)?.isFair);
});

test("draws of a saved game are not checked", () => {
  const moves = GAME.moves.with(1, otherFace(FALLEN[0]));
  const verdict = checkDraws(
    { ...GAME, moves },
    FIRST_COMMITMENT,
    { ...DRAWS, since: 2 },
    CHANCE_DRAWS.slice(1),
  );
  assert.match(verdict?.text ?? "", /all 2 follow/);
});

test("a game without draws has no text", () => {
  assert.equal(checkDraws({ moves: ["hold"], movers: [0] }, FIRST_COMMITMENT, DRAWS, []), null);
});
