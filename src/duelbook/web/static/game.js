// The page of a game: an invitation, then the game itself.

import { fetchSnapshot, RequestError } from "./api.js";
import { showConnectionStatus } from "./connection_status.js";
import { button, el, messageOf } from "./dom.js";
import { GameSession } from "./game_session.js";
import { isWaiting } from "./game_state.js";
import { showCancelled, showInvitation } from "./invitation_page.js";
import { lastState } from "./last_states.js";
import { showNotFound } from "./not_found.js";
import { followOpenSeat } from "./open_seat.js";
import { ENDED_BY, STATUS, UNREACHABLE } from "./protocol.js";
import { savedSeat } from "./saved_seats.js";
import { PAGE } from "./strings.js";
import { showWaitingRoom } from "./waiting_room.js";

/** @import { ClientMessage, Snapshot } from "./protocol.js" */

/**
 * @param {HTMLElement} page
 * @param {string} id
 */
export async function showGame(page, id) {
  document.title = "A game · Duelbook";
  try {
    const { snapshot, secret } = await loadGame(id, savedSeat(id)?.secret ?? null);
    show(page, snapshot, secret);
  } catch (error) {
    const status = error instanceof RequestError ? error.status : null;
    const last = status === UNREACHABLE ? lastState(id) : undefined;
    if (last) {
      new GameSession(page, last, savedSeat(id)?.secret ?? null); // it connects when it can
      return;
    }
    if (status === STATUS.unknown || status === STATUS.invalid) {
      showNotFound(page, PAGE.noGame);
      return;
    }
    const retry = button(PAGE.tryAgain, () => location.reload(), { class: "primary" });
    const text = el("p", {}, messageOf(error));
    page.replaceChildren(el("div", { class: "notice stack" }, text, retry));
  }
}

/**
 * @param {HTMLElement} page
 * @param {Snapshot} snapshot
 * @param {string | null} secret
 */
function show(page, snapshot, secret) {
  const { status } = snapshot;
  if (isWaiting(snapshot) && status.result?.by === ENDED_BY.aborted) showCancelled(page, snapshot);
  else if (!isWaiting(snapshot) || status.result) new GameSession(page, snapshot, secret);
  else showOpenSeat(page, snapshot, secret);
}

/**
 * @param {HTMLElement} page
 * @param {Snapshot} snapshot
 * @param {string | null} secret
 */
function showOpenSeat(page, snapshot, secret) {
  const { id, seats } = snapshot;
  const reload = () => showGame(page, id);
  const follow = () => followOpenSeat(id, secret, reload, showConnectionStatus);
  let connection = follow();
  const pause = () => connection.close();
  const resume = () => {
    connection = follow();
  };
  if (seats.length) {
    const send = (/** @type {ClientMessage} */ message) => connection.send(message);
    // A player who leaves for another game is notified there.
    showWaitingRoom(page, snapshot, { send, onLeave: pause, onStay: resume });
    return;
  }
  // Stop watching during the request for the seat, because its holder sees another page.
  showInvitation(page, snapshot, { onAsk: pause, onSeated: reload, onRefused: resume });
}

/**
 * Fetch a game as its seat may see it, or as a spectator if the secret is not valid.
 *
 * @param {string} id
 * @param {string | null} secret
 */
async function loadGame(id, secret) {
  try {
    return { snapshot: await fetchSnapshot(id, secret), secret };
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== STATUS.secret) throw error;
    return { snapshot: await fetchSnapshot(id, null), secret: null };
  }
}
