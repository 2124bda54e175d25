// What a browser has and Node has not, and games to talk about.

/** @import { Snapshot, Status, View } from "../../src/duelbook/web/static/protocol.js" */

/** A `localStorage` that begins empty; `null` for a browser that forbids it. */
export function installStorage(/** @type {Record<string, string> | null} */ stored = {}) {
  const items = new Map(Object.entries(stored ?? {}));
  const forbidden = () => {
    throw new Error("The browser keeps nothing.");
  };
  const storage = {
    getItem: (/** @type {string} */ key) => items.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => items.set(key, value),
  };
  const value = stored ? storage : { getItem: forbidden, setItem: forbidden };
  Object.defineProperty(globalThis, "localStorage", { value, configurable: true });
}

/**
 * Ann and Bo at a game, Ann to move, seen by Ann.
 *
 * @param {Partial<Snapshot>} [changes]
 * @param {Partial<Status>} [status]
 * @param {Partial<View>} [view]
 * @returns {Snapshot}
 */
export function snapshot(changes = {}, status = {}, view = {}) {
  return {
    type: "snapshot",
    id: "g1",
    book: "a-game",
    title: "A Game",
    welcome: "Welcome!",
    first: 0,
    seq: 2,
    turn: 0,
    seats: [0],
    moves: [],
    movers: [],
    told: [],
    said: [],
    status: {
      chairs: [
        { kind: "person", name: "Ann" },
        { kind: "person", name: "Bo" },
      ],
      help: [false, false],
      rematch: [false, false],
      ...status,
    },
    view: { position: {}, to_move: 0, board: "", scene: [], turn: "Your turn.", ...view },
    ...changes,
  };
}

/** Ann waits for somebody to sit down. */
export const OPEN = {
  chairs: [
    { kind: /** @type {const} */ ("person"), name: "Ann" },
    { kind: /** @type {const} */ ("open"), name: "" },
  ],
};
