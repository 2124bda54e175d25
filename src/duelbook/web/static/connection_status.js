// The line in the page's head that says whether the server is connected.

/** @import { ConnectionState } from "./live_connection.js" */

/** @param {ConnectionState} connection */
export function showConnectionStatus(connection) {
  const line = document.getElementById("connection");
  // While it tries again, the line goes on saying that the connection is lost.
  if (!line || (connection === "connecting" && line.className === "lost")) return;
  const isLost = connection === "lost";
  const waiting = isLost ? "Connection lost. Trying again…" : "Connecting…";
  line.textContent = connection === "live" ? "" : waiting;
  line.className = isLost ? "lost" : "";
}
