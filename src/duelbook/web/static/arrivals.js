// Notifies a host who plays another game when the friend arrives.

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
 * @param {string} [here] the game that this page shows
 */
export function announceArrivals(here) {
  const open = savedGames().filter(({ id, waiting }) => waiting && id !== here);
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
  const later = el("button", { type: "button", class: "quiet" }, INVITE.later);
  const box = el(
    "div",
    { class: "arrival", role: "alert", "data-testid": "arrival" },
    el("p", {}, INVITE.hasCome(name, snapshot.title)),
    el(
      "div",
      { class: "row" },
      el("a", { class: "button main", href: pagePath(snapshot.id) }, INVITE.goThere),
      later,
    ),
  );
  later.addEventListener("click", () => box.remove());
  document.body.append(box);
  const body = INVITE.hasCome(name, snapshot.title);
  notify(NOTIFY.come, { body, id: snapshot.id });
}
