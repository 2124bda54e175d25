// The WebSocket of a game. It reconnects automatically.

import { gamePath } from "./api.js";
import { CLOSE, CONNECTION_BROKE, RECEIVED, SENT } from "./protocol.js";

/** @import { ClientMessage, ServerMessage } from "./protocol.js" */
/** @typedef {"connecting" | "live" | "lost" | "gone" | "refused"} ConnectionState */
/**
 * @typedef {{
 *   onMessage: (message: ServerMessage) => void, onState: (state: ConnectionState) => void,
 * }} Handlers
 */

const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 15_000;
const SILENCE_MS = 25_000;
const PONG_TIMEOUT_MS = 10_000;

export class LiveConnection {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #reconnectTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silenceTimer;
  #delay = FIRST_DELAY_MS;
  #lastNumber = 0;
  #isClosed = false;

  /**
   * @param {string} id
   * @param {string | null} secret
   * @param {Handlers} handlers
   */
  constructor(id, secret, { onMessage, onState }) {
    this.id = id;
    this.secret = secret;
    this.onMessage = onMessage;
    this.onState = onState;
    addEventListener("online", () => this.#reconnectNow());
    addEventListener("offline", () => this.#handleClose(this.#socket, CONNECTION_BROKE));
    document.addEventListener("visibilitychange", () => document.hidden || this.#reconnectNow());
    this.#connect();
  }

  /**
   * Send a message, and return its number, or null if there is no connection.
   *
   * @param {ClientMessage} message
   */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return null;
    this.#lastNumber += 1;
    this.#socket.send(JSON.stringify({ ...message, number: this.#lastNumber }));
    return this.#lastNumber;
  }

  /** Close the connection, and do not reconnect. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#reconnectTimer);
    clearTimeout(this.#silenceTimer);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  /** Reconnect without a seat. */
  watch() {
    this.secret = null;
    this.#isClosed = false;
    this.#connect();
  }

  #connect() {
    clearTimeout(this.#reconnectTimer);
    this.onState("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${gamePath(this.id, "/live")}`);
    this.#socket = socket;
    socket.onopen = () => {
      const secret = this.secret ?? undefined;
      socket.send(JSON.stringify({ type: SENT.hello, secret }));
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = ({ code }) => this.#handleClose(socket, code);
    this.#restartSilenceTimer();
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    this.#restartSilenceTimer();
    if (message.type === RECEIVED.snapshot) {
      this.#delay = FIRST_DELAY_MS;
      this.onState("live");
    }
    this.onMessage(message);
  }

  // After a long silence the page sends a ping. Without a pong, the connection is lost.
  #restartSilenceTimer() {
    clearTimeout(this.#silenceTimer);
    const socket = this.#socket;
    this.#silenceTimer = setTimeout(() => {
      this.send({ type: SENT.ping });
      const giveUp = () => this.#handleClose(socket, CONNECTION_BROKE);
      this.#silenceTimer = setTimeout(giveUp, PONG_TIMEOUT_MS);
    }, SILENCE_MS);
  }

  /**
   * @param {WebSocket | null} socket
   * @param {number} code
   */
  #handleClose(socket, code) {
    if (!socket || socket !== this.#socket || this.#isClosed) return;
    clearTimeout(this.#silenceTimer);
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
    this.#socket = null;
    if (code === CLOSE.unknown || code === CLOSE.secret) {
      this.#isClosed = true;
      this.onState(code === CLOSE.unknown ? "gone" : "refused");
      return;
    }
    this.onState("lost");
    if (code === CLOSE.limit) this.#delay = MAX_DELAY_MS;
    const delay = this.#delay * (0.7 + Math.random() * 0.6);
    this.#reconnectTimer = setTimeout(() => this.#connect(), delay);
    this.#delay = Math.min(this.#delay * 1.8, MAX_DELAY_MS);
  }

  #reconnectNow() {
    if (!this.#socket && !this.#isClosed) this.#connect();
    else this.send({ type: SENT.ping });
  }
}
