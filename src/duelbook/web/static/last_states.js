// The last states of the player's games, shown while the server is unreachable.

import { readJson, storeText } from "./browser_storage.js";

/** @import { Snapshot } from "./protocol.js" */

const KEY = "duelbook.last";
const MAX_STATES = 6;
const MAX_STATE_LENGTH = 100_000;

/** @returns {Snapshot[]} */
function readAll() {
  const stored = readJson(KEY);
  return Array.isArray(stored) ? stored : [];
}

/**
 * Store a state, except of a game at one device, which might show private information.
 *
 * @param {Snapshot} snapshot
 */
export function storeState(snapshot) {
  const others = readAll().filter(({ id }) => id !== snapshot.id);
  const isStored =
    snapshot.seats.length === 1 && JSON.stringify(snapshot).length <= MAX_STATE_LENGTH;
  const states = isStored ? [snapshot, ...others].slice(0, MAX_STATES) : others;
  storeText(KEY, JSON.stringify(states));
}

/**
 * @param {string} id
 * @returns {Snapshot | undefined}
 */
export const lastState = (id) => readAll().find((state) => state.id === id);
