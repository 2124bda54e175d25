// Requests to the server.

/**
 * @import {
 *   Analysis, Book, ChanceDraw, HeldSeat, JoinGame, NewGame, Problem, Rules, SeatCredentials,
 *   SeatStatus, Snapshot, Steps
 * } from "./protocol.js"
 */

import { UNREACHABLE } from "./protocol.js";
import { OFFLINE } from "./strings.js";

export class RequestError extends Error {
  /**
   * @param {number} status 0 if the server cannot be reached
   * @param {Problem} [problem]
   */
  constructor(status, { code = "", why = "" } = {}) {
    super(why || OFFLINE.badAnswer);
    this.status = status;
    this.code = code;
  }
}

/**
 * @param {string} path
 * @param {{ secret?: string | null, body?: unknown }} [options]
 * @returns {Promise<any>}
 */
async function request(path, { secret, body } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (body) headers["Content-Type"] = "application/json";
  const method = body ? "POST" : "GET";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : null });
  } catch {
    throw new RequestError(UNREACHABLE, { why: OFFLINE.noServer });
  }
  if (response.ok) return response.json();
  throw new RequestError(response.status, await response.json().catch(() => ({})));
}

/**
 * Return the path of a game in the API.
 *
 * @param {string} id
 * @param {string} [rest]
 */
export const gamePath = (id, rest = "") => `/api/games/${encodeURIComponent(id)}${rest}`;

/**
 * Return the address of a game's page.
 *
 * @param {string} id
 */
export const pagePath = (id) => `/g/${encodeURIComponent(id)}`;

/**
 * Return the address of a game's rules.
 *
 * @param {string} slug
 */
export const rulesPath = (slug) => `/rules/${encodeURIComponent(slug)}`;

/** @returns {Promise<Book[]>} */
export const fetchBooks = () => request("/api/books");

/**
 * @param {string} slug
 * @returns {Promise<Rules>}
 */
export const fetchRules = (slug) => request(`/api/books/${encodeURIComponent(slug)}/rules`);

/**
 * @param {NewGame} options
 * @returns {Promise<SeatCredentials>}
 */
export const postGame = (options) => request("/api/games", { body: options });

/**
 * @param {HeldSeat[]} games
 * @returns {Promise<SeatStatus[]>}
 */
export const fetchStandings = (games) => request("/api/standings", { body: { games } });

/**
 * @param {string} id
 * @param {string | null} secret
 * @returns {Promise<Snapshot>}
 */
export const fetchSnapshot = (id, secret) => request(gamePath(id), { secret });

/**
 * @param {string} id
 * @param {JoinGame} options
 * @returns {Promise<SeatCredentials>}
 */
export const postSeat = (id, options) => request(gamePath(id, "/seats"), { body: options });

/**
 * @param {string} id
 * @returns {Promise<Steps>}
 */
export const fetchSteps = (id) => request(gamePath(id, "/steps"));

/**
 * @param {string} id
 * @returns {Promise<ChanceDraw[]>}
 */
export const fetchDraws = (id) => request(gamePath(id, "/draws"));

/**
 * @param {string} id
 * @returns {Promise<Analysis>}
 */
export const fetchAnalysis = (id) => request(gamePath(id, "/analysis"));
