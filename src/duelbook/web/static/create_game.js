// Begins a game on the server, keeps the seat, and goes there.

import * as api from "./api.js";
import * as seats from "./saved_seats.js";

export async function start(wishes, title) {
  const { id, seats: mine, secret } = await api.newGame(wishes);
  seats.keep(id, { secret, seats: mine, title });
  location.assign(`/g/${encodeURIComponent(id)}`);
}
