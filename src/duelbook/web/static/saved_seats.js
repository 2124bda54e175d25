// The seats of this browser, with their secrets. The page sends a secret only to the server.

import { readJson, readText, storeText } from "./browser_storage.js";

/** @import { HeldSeat, Seat } from "./protocol.js" */

/**
 * @typedef {{
 *   secret: string, when: number, seats?: Seat[], title?: string, over?: boolean,
 *   opponent?: string, promise?: string, waiting?: boolean,
 * }} SavedSeat
 */

const SEATS_KEY = "duelbook.seats";
const NAME_KEY = "duelbook.name";
const MAX_GAMES = 60;

/** @type {() => Record<string, SavedSeat>} */
const readAll = () => readJson(SEATS_KEY) ?? {};

/** @param {Record<string, SavedSeat>} seats */
function writeAll(seats) {
  localStorage.setItem(SEATS_KEY, JSON.stringify(seats));
}

/** @param {Record<string, SavedSeat>} seats */
function latestFirst(seats) {
  return Object.entries(seats).sort(([, a], [, b]) => b.when - a.when);
}

/**
 * Store a seat; at the limit, remove the oldest ones.
 *
 * @param {string} id
 * @param {Omit<SavedSeat, "when">} seat
 */
export function saveSeat(id, seat) {
  const seats = { ...readAll(), [id]: { ...seat, when: Date.now() } };
  writeAll(Object.fromEntries(latestFirst(seats).slice(0, MAX_GAMES)));
}

/**
 * @param {string} id
 * @returns {SavedSeat | null}
 */
export function savedSeat(id) {
  return readAll()[id] ?? null;
}

/** Return the games of this browser, latest first, without their secrets. */
export function savedGames() {
  return latestFirst(readAll()).map(([id, { secret: _, ...facts }]) => ({ id, ...facts }));
}

/**
 * Return the seats of some games with their secrets, as the server expects them.
 *
 * @param {string[]} ids
 * @returns {HeldSeat[]}
 */
export function heldSeats(ids) {
  const seats = readAll();
  return ids.flatMap((id) => (seats[id] ? [{ id, secret: seats[id].secret }] : []));
}

/**
 * Add facts to a stored seat.
 *
 * @param {string} id
 * @param {Partial<SavedSeat>} facts
 */
export function updateSeat(id, facts) {
  const seat = savedSeat(id);
  if (!seat) return;
  const updated = { ...seat, ...facts };
  if (JSON.stringify(updated) !== JSON.stringify(seat)) writeAll({ ...readAll(), [id]: updated });
}

/** Return the name that this browser's player used last. */
export const savedName = () => readText(NAME_KEY) ?? "";

/** @param {string} name */
export const saveName = (name) => storeText(NAME_KEY, name);
