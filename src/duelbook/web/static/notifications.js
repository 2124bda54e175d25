// Notifies a player on another tab that it is their turn, if they turned this on.

import { pagePath } from "./api.js";
import { readText, storeText } from "./browser_storage.js";
import { button, el } from "./dom.js";
import { isAgainstPerson, isMyTurn, isOver } from "./game_state.js";
import { NOTIFY } from "./strings.js";

/** @import { Snapshot } from "./protocol.js" */

const KEY = "duelbook.notify";

/** Return whether the player turned notifications on, and the browser still allows them. */
export function isEnabled() {
  return globalThis.Notification?.permission === "granted" && readText(KEY) === "on";
}

/** @param {boolean} on */
const setEnabled = (on) => storeText(KEY, on ? "on" : "off");

/** Return a button that turns notifications on and off; it is empty if the browser has none. */
export function notifyButton() {
  if (!("Notification" in globalThis) || !globalThis.isSecureContext) return el("span");
  const message = el("span", { role: "status", class: "muted" });
  const toggle = button("", async () => {
    if (isEnabled()) setEnabled(false);
    else setEnabled((await Notification.requestPermission()) === "granted");
    message.textContent = Notification.permission === "denied" ? NOTIFY.denied : "";
    show();
  });
  toggle.dataset.testid = "notify";
  const show = () => {
    toggle.textContent = isEnabled() ? NOTIFY.off : NOTIFY.on;
    toggle.setAttribute("aria-pressed", String(isEnabled()));
  };
  show();
  return el("span", { class: "row" }, toggle, message);
}

/**
 * Show a notification, unless the player looks at the page. It contains nothing secret.
 *
 * @param {string} title
 * @param {{ body: string, id: string }} about
 */
export async function notify(title, { body, id }) {
  if (!isEnabled() || !document.hidden) return;
  const options = { body, tag: id, icon: "/static/icons/192.png", data: { path: pagePath(id) } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options);
}

let notifiedState = "";

/**
 * Notify the player once a turn when a game against a friend waits for them.
 *
 * @param {Snapshot} snapshot
 */
export function notifyTurn(snapshot) {
  const { id, title, turn } = snapshot;
  if (!isAgainstPerson(snapshot)) return;
  const state = `${id} ${turn} ${isOver(snapshot)}`;
  if (state === notifiedState) return;
  notifiedState = state;
  if (isOver(snapshot)) notify(NOTIFY.over, { body: title, id });
  else if (isMyTurn(snapshot)) notify(NOTIFY.turn, { body: title, id });
}
