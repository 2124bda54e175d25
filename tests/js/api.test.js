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
let requests = [];

/**
 * @param {number} status
 * @param {unknown} body
 */
function answerWith(status, body) {
  requests = [];
  globalThis.fetch = async (path, options) => {
    requests.push({ path: String(path), options });
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
  };
}

test("ids are escaped in paths", () => {
  assert.equal(gamePath("../x", "/save"), "/api/games/..%2Fx/save");
  assert.equal(pagePath("a b"), "/g/a%20b");
});

test("a seat's secret is sent in a header, never in the URL", async () => {
  answerWith(200, {});
  await fetchSnapshot("g1", "s1");
  assert.equal(requests[0].path, "/api/games/g1");
  assert.equal(requests[0].options.headers.Authorization, "Bearer s1");
});

test("requests are posted as JSON", async () => {
  answerWith(201, { id: "g1" });
  await postSeat("g1", { name: "Ann", help: true });
  assert.equal(requests[0].options.method, "POST");
  assert.deepEqual(JSON.parse(requests[0].options.body), { name: "Ann", help: true });
});

test("an error has the server's reason", async () => {
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

test("a response that is not JSON has a default error message", async () => {
  answerWith(502, "<html>");
  await assert.rejects(fetchSnapshot("g1", null), /sent an unexpected response/);
});

test("an unreachable server has an error message", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("failed");
  };
  await assert.rejects(fetchSnapshot("g1", null), { status: 0, message: /cannot be reached/ });
});
