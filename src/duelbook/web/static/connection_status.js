// The line at the top of the page that says whether the server is connected.

import { OFFLINE } from "./strings.js";

/** @import { ConnectionState } from "./live_connection.js" */

const LOST = "lost";

/** @param {ConnectionState} connection */
export function showConnectionStatus(connection) {
  const line = document.getElementById("connection");
  // While it tries again, the line goes on saying what it said when the connection was lost.
  if (!line || (connection !== "live" && line.className === LOST)) return;
  const isLost = connection === "lost";
  const waiting = isLost ? OFFLINE.lost : OFFLINE.connecting;
  line.textContent = connection === "live" ? "" : waiting;
  line.className = isLost ? LOST : "";
}

/** Say that what the player did was not sent. The line goes when the connection is back. */
export function showNothingSent() {
  const line = document.getElementById("connection");
  if (!line) return;
  line.textContent = OFFLINE.notSent;
  line.className = LOST;
}
