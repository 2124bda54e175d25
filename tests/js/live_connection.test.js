// The connection to the server, and how it comes back.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { LiveConnection } from "../../src/duelbook/web/static/live_connection.js";
import { CLOSE, CONNECTION_BROKE } from "../../src/duelbook/web/static/protocol.js";
import { snapshot } from "./fakes.js";

/** @type {FakeSocket[]} */
let sockets = [];
/** @type {string[]} */
let states = [];
/** @type {unknown[]} */
let messages = [];
/** @type {Record<string, () => void>} */
let listeners = {};

class FakeSocket {
  static OPEN = 1;
  readyState = 0;
  /** @type {any[]} */
  sent = [];
  /** @type {any} */ onopen = null;
  /** @type {any} */ onmessage = null;
  /** @type {any} */ onclose = null;

  constructor(/** @type {string} */ url) {
    this.url = url;
    sockets.push(this);
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }

  send(/** @type {string} */ text) {
    this.sent.push(JSON.parse(text));
  }

  receive(/** @type {unknown} */ message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  close() {
    this.readyState = 3;
  }
}

beforeEach(() => {
  [sockets, states, messages, listeners] = [[], [], [], {}];
  const listen = (/** @type {string} */ name, /** @type {() => void} */ heard) => {
    listeners[name] = heard;
  };
  Object.assign(globalThis, {
    WebSocket: FakeSocket,
    addEventListener: listen,
    document: { addEventListener: listen, hidden: false },
    location: { protocol: "https:", host: "games.example" },
  });
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

const connect = (/** @type {string | null} */ secret = "s1") =>
  new LiveConnection("g/1", secret, {
    onMessage: (message) => messages.push(message),
    onState: (state) => states.push(state),
  });

test("it connects to the game and sends hello with the secret", () => {
  connect();
  sockets[0].open();
  assert.equal(sockets[0].url, "wss://games.example/api/games/g%2F1/live");
  assert.deepEqual(sockets[0].sent, [{ type: "hello", secret: "s1" }]);
});

test("a spectator sends hello without a secret", () => {
  connect(null);
  sockets[0].open();
  assert.deepEqual(sockets[0].sent, [{ type: "hello" }]);
});

test("it is live after the first snapshot", () => {
  connect();
  sockets[0].open();
  assert.deepEqual(states, ["connecting"]);
  sockets[0].receive(snapshot());
  assert.deepEqual(states, ["connecting", "live"]);
  assert.equal(messages.length, 1);
});

test("messages are numbered, and none is sent without a connection", () => {
  const live = connect();
  assert.equal(live.send({ type: "hint" }), null);
  sockets[0].open();
  assert.equal(live.send({ type: "hint" }), 1);
  assert.equal(live.send({ type: "rematch" }), 2);
  assert.deepEqual(sockets[0].sent.at(-1), { type: "rematch", number: 2 });
});

test("it reconnects with increasing delays", () => {
  connect();
  sockets[0].onclose({ code: CONNECTION_BROKE });
  assert.deepEqual(states, ["connecting", "lost"]);
  mock.timers.tick(400 * 1.3);
  assert.equal(sockets.length, 2);
  sockets[1].onclose({ code: CLOSE.restart });
  mock.timers.tick(400 * 1.8 * 0.7 - 1);
  assert.equal(sockets.length, 2);
  mock.timers.tick(400 * 1.8 * 0.6 + 1);
  assert.equal(sockets.length, 3);
});

test("it waits longer after the server's connection limit", () => {
  connect();
  sockets[0].onclose({ code: CLOSE.limit });
  mock.timers.tick(10_000);
  assert.equal(sockets.length, 1);
  mock.timers.tick(10_000);
  assert.equal(sockets.length, 2);
});

test("it does not reconnect to a deleted game", () => {
  connect();
  sockets[0].onclose({ code: CLOSE.unknown });
  mock.timers.tick(60_000);
  listeners.online();
  assert.deepEqual([states.at(-1), sockets.length], ["gone", 1]);
});

test("a refused seat can continue to watch", () => {
  const live = connect();
  sockets[0].onclose({ code: CLOSE.secret });
  assert.equal(states.at(-1), "refused");
  live.watch();
  sockets[1].open();
  assert.deepEqual(sockets[1].sent, [{ type: "hello" }]);
});

test("it sends a ping after silence, and reconnects without a pong", () => {
  connect();
  sockets[0].open();
  sockets[0].receive(snapshot());
  mock.timers.tick(25_000);
  assert.equal(sockets[0].sent.at(-1).type, "ping");
  mock.timers.tick(10_000);
  assert.equal(states.at(-1), "lost");
});

test("a pong keeps the connection open", () => {
  connect();
  sockets[0].open();
  mock.timers.tick(25_000);
  sockets[0].receive({ type: "pong" });
  mock.timers.tick(20_000);
  assert.ok(!states.includes("lost"));
});

test("it reconnects at once when the network is back", () => {
  connect();
  listeners.offline();
  assert.equal(states.at(-1), "lost");
  listeners.online();
  assert.equal(sockets.length, 2);
});
