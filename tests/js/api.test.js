// Requests to the server.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fetchSnapshot,
  gamePath,
  pagePath,
  postSeat,
  RequestError,
} from "../../src/duelbook/web/static/api.js";

/** @type {{ path: string, options: any }[]} */
let asked = [];

/**
 * @param {number} status
 * @param {unknown} body
 */
function answerWith(status, body) {
  asked = [];
  globalThis.fetch = async (path, options) => {
    asked.push({ path: String(path), options });
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
  };
}

test("an id is never read as part of a path", () => {
  assert.equal(gamePath("../x", "/save"), "/api/games/..%2Fx/save");
  assert.equal(pagePath("a b"), "/g/a%20b");
});

test("the secret of a seat goes along as a header, never in the address", async () => {
  answerWith(200, {});
  await fetchSnapshot("g1", "s1");
  assert.equal(asked[0].path, "/api/games/g1");
  assert.equal(asked[0].options.headers.Authorization, "Bearer s1");
});

test("what is wished for is posted as JSON", async () => {
  answerWith(201, { id: "g1" });
  await postSeat("g1", { name: "Ann", help: true });
  assert.equal(asked[0].options.method, "POST");
  assert.deepEqual(JSON.parse(asked[0].options.body), { name: "Ann", help: true });
});

test("a refusal says why, in the server's words", async () => {
  answerWith(403, { code: "seat", why: "The seat is taken." });
  await assert.rejects(fetchSnapshot("g1", null), (error) => {
    assert.ok(error instanceof RequestError);
    assert.deepEqual(
      [error.status, error.code, error.message],
      [403, "seat", "The seat is taken."],
    );
    return true;
  });
});

test("an answer that is not JSON is still an error in words", async () => {
  answerWith(502, "<html>");
  await assert.rejects(fetchSnapshot("g1", null), /did not answer as it should/);
});

test("a server that cannot be reached is said to be so", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("failed");
  };
  await assert.rejects(fetchSnapshot("g1", null), { status: 0, message: /cannot be reached/ });
});
