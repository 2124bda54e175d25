// Notifies a player on another tab that it is their turn, if they turned this on.

import { pagePath } from "./api.js";
import { readText, storeText } from "./browser_storage.js";
import { button, el } from "./dom.js";
import { isAgainstPerson, isMyTurn, isOver } from "./game_state.js";
import { NOTIFY } from "./strings.js";

/** @import { Snapshot } from "./protocol.js" */

const KEY = "duelbook.notify";

/** Whether the player turned notifications on, and the browser still allows them. */
export function isWanted() {
  return globalThis.Notification?.permission === "granted" && readText(KEY) === "on";
}

/** @param {boolean} on */
const setWanted = (on) => storeText(KEY, on ? "on" : "off");

/** A button that turns notifications on and off, or null if the browser has none. */
export function notifyButton() {
  if (!("Notification" in globalThis) || !globalThis.isSecureContext) return el("span");
  const said = el("span", { role: "status", class: "soft" });
  const toggle = button("", async () => {
    if (isWanted()) setWanted(false);
    else setWanted((await Notification.requestPermission()) === "granted");
    said.textContent = Notification.permission === "denied" ? NOTIFY.denied : "";
    show();
  });
  toggle.dataset.testid = "notify";
  const show = () => {
    toggle.textContent = isWanted() ? NOTIFY.off : NOTIFY.on;
    toggle.setAttribute("aria-pressed", String(isWanted()));
  };
  show();
  return el("span", { class: "row" }, toggle, said);
}

/**
 * Show a notification, unless the player looks at the page. It contains nothing secret.
 *
 * @param {string} title
 * @param {{ body: string, id: string }} about
 */
export async function notify(title, { body, id }) {
  if (!isWanted() || !document.hidden) return;
  const options = { body, tag: id, icon: "/static/icons/192.png", data: { path: pagePath(id) } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options);
}

let notified = "";

/**
 * Notify the player once a turn when a game against a friend waits for them.
 *
 * @param {Snapshot} snapshot
 */
export function notifyTurn(snapshot) {
  const { id, title, turn } = snapshot;
  if (!isAgainstPerson(snapshot)) return;
  const state = `${id} ${turn} ${isOver(snapshot)}`;
  if (state === notified) return;
  notified = state;
  if (isOver(snapshot)) notify(NOTIFY.over, { body: title, id });
  else if (isMyTurn(snapshot)) notify(NOTIFY.turn, { body: title, id });
}
