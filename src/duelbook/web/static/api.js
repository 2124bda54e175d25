// Talking to the server: requests, and a connection that comes back by itself.

export class Problem extends Error {
  constructor(status, { code = "", why = "" } = {}) {
    super(why || "The server did not answer as it should.");
    this.status = status;
    this.code = code;
  }
}

async function request(path, { secret, body } = {}) {
  const headers = { Accept: "application/json" };
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, { why: "The server cannot be reached." });
  }
  if (response.ok) return response;
  throw new Problem(response.status, await response.json().catch(() => ({})));
}

const json = async (path, options) => (await request(path, options)).json();
const game = (id, rest = "") => `/api/games/${encodeURIComponent(id)}${rest}`;

export const books = () => json("/api/books");
export const rules = (slug) => json(`/api/books/${encodeURIComponent(slug)}/rules`);
export const newGame = (wishes) => json("/api/games", { body: wishes });
export const snapshot = (id, secret) => json(game(id), { secret });
export const sitDown = (id, wishes) => json(game(id, "/seats"), { body: wishes });
export const steps = (id, secret) => json(game(id, "/steps"), { secret });
export const analysis = (id, secret) => json(game(id, "/analysis"), { secret });
export const save = async (id, secret) => (await request(game(id, "/save"), { secret })).blob();

const GONE = 4404;
const WRONG_SECRET = 4401;
const TOO_MANY = 4429;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
const QUIET = 25_000;

// A game's live connection. `hear(message)` gets every message, `state(word)` one of
// `connecting`, `live`, `lost`, `gone`, `refused`.
export class Live {
  constructor(id, secret, { hear, state }) {
    Object.assign(this, { id, secret, hear, state, wait: FIRST_WAIT, number: 0, over: false });
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.socket && this.closed(this.socket, 1006));
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    this.state("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${game(this.id, "/live")}`);
    this.socket = socket;
    socket.onopen = () => {
      const hello = this.secret ? { type: "hello", secret: this.secret } : { type: "hello" };
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = ({ data }) => {
      this.listen();
      const message = JSON.parse(data);
      if (message.type === "snapshot") {
        this.wait = FIRST_WAIT;
        this.state("live");
      }
      this.hear(message);
    };
    socket.onclose = ({ code }) => this.closed(socket, code);
    this.listen();
  }

  // Silence is asked about, and no answer means that the line is dead.
  listen() {
    clearTimeout(this.silence);
    const socket = this.socket;
    this.silence = setTimeout(() => {
      this.send({ type: "ping" });
      this.silence = setTimeout(() => this.closed(socket, 1006), 10_000);
    }, QUIET);
  }

  closed(socket, code) {
    if (socket !== this.socket || this.over) return;
    clearTimeout(this.silence);
    socket.onmessage = socket.onclose = null;
    socket.close();
    this.socket = null;
    if (code === GONE || code === WRONG_SECRET) {
      this.over = true;
      this.state(code === GONE ? "gone" : "refused");
      return;
    }
    this.state("lost");
    if (code === TOO_MANY) this.wait = LONGEST_WAIT;
    this.timer = setTimeout(() => this.connect(), this.wait * (0.7 + Math.random() * 0.6));
    this.wait = Math.min(this.wait * 1.8, LONGEST_WAIT);
  }

  // Goes on without a seat.
  watch() {
    this.secret = null;
    this.over = false;
    this.connect();
  }

  hurry() {
    if (!this.socket && !this.over) this.connect();
    else if (this.socket?.readyState === WebSocket.OPEN) this.send({ type: "ping" });
  }

  // Says whether the message could be sent, by its number.
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return null;
    this.number += 1;
    this.socket.send(JSON.stringify({ ...message, number: this.number }));
    return this.number;
  }
}
