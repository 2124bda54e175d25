// The line at the top of the page that says whether the server is connected.

import { OFFLINE } from "./strings.js";

/** @import { ConnectionState } from "./live_connection.js" */

const LOST = "lost";

/** @param {ConnectionState} connection */
export function showConnectionStatus(connection) {
  const line = document.getElementById("connection");
  // While the page reconnects, the line still says that the connection is lost.
  if (!line || (connection !== "live" && line.className === LOST)) return;
  const isLost = connection === "lost";
  const waiting = isLost ? OFFLINE.lost : OFFLINE.connecting;
  line.textContent = connection === "live" ? "" : waiting;
  line.className = isLost ? LOST : "";
}

/** Show that nothing was sent. The line disappears when the connection is back. */
export function showNothingSent() {
  const line = document.getElementById("connection");
  if (!line) return;
  line.textContent = OFFLINE.notSent;
  line.className = LOST;
}
