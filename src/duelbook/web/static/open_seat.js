// Watches a game with an open seat until the invited player arrives.

import { applyUpdate, isOver, isWaiting } from "./game_state.js";
import { LiveConnection } from "./live_connection.js";
import { RECEIVED } from "./protocol.js";
import { updateSeat } from "./saved_seats.js";

/** @import { ServerMessage, Snapshot } from "./protocol.js" */
/** @import { ConnectionState } from "./live_connection.js" */

/**
 * Follow a game with an open seat, and call `onChange` once: when the seat is taken, when the game
 * is over, or with null when the game or the seat no longer exists.
 *
 * @param {string} id
 * @param {string | null} secret
 * @param {(snapshot: Snapshot | null) => void} onChange
 * @param {(state: ConnectionState) => void} [onState]
 */
export function followOpenSeat(id, secret, onChange, onState = () => {}) {
  /** @type {Snapshot | null} */
  let latest = null;
  const finish = (/** @type {Snapshot | null} */ snapshot) => {
    connection.close();
    updateSeat(id, { waiting: false });
    onChange(snapshot);
  };
  const connection = new LiveConnection(id, secret, {
    onMessage: (/** @type {ServerMessage} */ message) => {
      if (message.type === RECEIVED.snapshot) latest = message;
      else if (message.type === RECEIVED.update && latest)
        latest = applyUpdate(latest, message) ?? latest;
      else return;
      if (latest && (!isWaiting(latest) || isOver(latest))) finish(latest);
    },
    onState: (state) => {
      if (state === "gone" || state === "refused") finish(null);
      else onState(state);
    },
  });
  updateSeat(id, { waiting: true });
  return connection;
}
