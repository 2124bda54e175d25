// Notifies a player in another game when the invited player arrives.

import { pagePath } from "./api.js";
import { el } from "./dom.js";
import { isOver, mySeat, playerNames } from "./game_state.js";
import { notify } from "./notifications.js";
import { followOpenSeat } from "./open_seat.js";
import { savedGames, savedSeat } from "./saved_seats.js";
import { INVITE, NOTIFY } from "./strings.js";

/** @import { Snapshot } from "./protocol.js" */

const MAX_WATCHED_GAMES = 3;

/**
 * Follow the invitations of this browser that nobody has accepted yet.
 *
 * @param {string} [currentGame] the game that this page shows
 */
export function announceArrivals(currentGame) {
  const open = savedGames().filter(({ id, waiting }) => waiting && id !== currentGame);
  for (const { id } of open.slice(0, MAX_WATCHED_GAMES)) {
    const secret = savedSeat(id)?.secret ?? null;
    followOpenSeat(id, secret, (snapshot) => {
      if (snapshot && !isOver(snapshot)) announce(snapshot);
    });
  }
}

/** @param {Snapshot} snapshot */
function announce(snapshot) {
  const me = mySeat(snapshot);
  if (me === null) return;
  const name = playerNames(snapshot)[1 - me];
  const later = el("button", { type: "button", class: "subtle" }, INVITE.later);
  const box = el(
    "div",
    { class: "arrival", role: "alert", "data-testid": "arrival" },
    el("p", {}, INVITE.arrived(name, snapshot.title)),
    el(
      "div",
      { class: "row" },
      el("a", { class: "button primary", href: pagePath(snapshot.id) }, INVITE.goToGame),
      later,
    ),
  );
  later.addEventListener("click", () => box.remove());
  document.body.append(box);
  const body = INVITE.arrived(name, snapshot.title);
  notify(NOTIFY.arrived, { body, id: snapshot.id });
}
