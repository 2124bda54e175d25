// The seats that this browser holds, with their secrets. Secrets go to the server only, as proof.

/** @import { Seat } from "./protocol.js" */

/**
 * @typedef {{
 *   secret: string, when: number, seats?: Seat[], title?: string, over?: boolean,
 *   opponent?: string, promise?: string,
 * }} SavedSeat
 */

const SEATS_KEY = "duelbook.seats";
const NAME_KEY = "duelbook.name";
const MAX_GAMES = 60;

/** @returns {Record<string, SavedSeat>} */
function readAll() {
  try {
    return JSON.parse(localStorage.getItem(SEATS_KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {Record<string, SavedSeat>} seats */
function writeAll(seats) {
  localStorage.setItem(SEATS_KEY, JSON.stringify(seats));
}

/** @param {Record<string, SavedSeat>} seats */
function latestFirst(seats) {
  return Object.entries(seats).sort(([, a], [, b]) => b.when - a.when);
}

/**
 * Keep a seat; the oldest ones make room.
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

/** The games of this browser, latest first, without their secrets. */
export function savedGames() {
  return latestFirst(readAll()).map(([id, { secret: _, ...facts }]) => ({ id, ...facts }));
}

/**
 * Add facts to a seat that is kept.
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

/** The name that this browser's player used last. */
export function savedName() {
  try {
    return localStorage.getItem(NAME_KEY) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name */
export function saveName(name) {
  try {
    localStorage.setItem(NAME_KEY, name);
  } catch {
    // The browser keeps nothing. The player types the name again next time.
  }
}
