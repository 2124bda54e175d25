// The page of a game.

import { fetchSnapshot, RequestError } from "./api.js";
import { button, el, messageOf } from "./dom.js";
import { GameSession } from "./game_session.js";
import { showNotFound } from "./not_found.js";
import { STATUS } from "./protocol.js";
import { savedSeat } from "./saved_seats.js";

/**
 * @param {HTMLElement} page
 * @param {string} id
 */
export async function showGame(page, id) {
  document.title = "A game · Duelbook";
  try {
    const { snapshot, secret } = await loadGame(id, savedSeat(id)?.secret ?? null);
    new GameSession(page, snapshot, secret);
  } catch (error) {
    const status = error instanceof RequestError ? error.status : null;
    if (status === STATUS.unknown || status === STATUS.invalid) {
      showNotFound(page, "There is no such game.");
      return;
    }
    const retry = button("Try again", () => location.reload(), { class: "main" });
    const text = el("p", {}, messageOf(error));
    page.replaceChildren(el("div", { class: "notice stack" }, text, retry));
  }
}

/**
 * A game as its seat may see it. Without a valid secret the game is only watched.
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
