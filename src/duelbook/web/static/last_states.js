// The last state of one's games, to look at while the server cannot be reached.

import { keepText, readJson } from "./browser_storage.js";

/** @import { Snapshot } from "./protocol.js" */

const KEY = "duelbook.last";
const MAX_STATES = 6;
const MAX_STATE_LENGTH = 100_000;

/** @returns {Snapshot[]} */
function readAll() {
  const read = readJson(KEY);
  return Array.isArray(read) ? read : [];
}

/**
 * Keep a state. Of a game that two play at one device none is kept: it might show a hand.
 *
 * @param {Snapshot} snapshot
 */
export function keepState(snapshot) {
  const others = readAll().filter(({ id }) => id !== snapshot.id);
  const isKept = snapshot.seats.length === 1 && JSON.stringify(snapshot).length <= MAX_STATE_LENGTH;
  const states = isKept ? [snapshot, ...others].slice(0, MAX_STATES) : others;
  keepText(KEY, JSON.stringify(states));
}

/**
 * @param {string} id
 * @returns {Snapshot | undefined}
 */
export const lastState = (id) => readAll().find((one) => one.id === id);
