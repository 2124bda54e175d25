// Creates a game on the server, stores the seat, and opens the game's page.

import { pagePath, postGame } from "./api.js";
import { saveSeat } from "./saved_seats.js";

/** @import { NewGame } from "./protocol.js" */

/**
 * @param {NewGame} options
 * @param {string} [title]
 */
export async function createGame(options, title) {
  const { id, seats, secret } = await postGame(options);
  saveSeat(id, { secret, seats, title });
  location.assign(pagePath(id));
}
