// The list of the player's games: whose turn it is, and who won.

import { fetchStandings, pagePath } from "./api.js";
import { el } from "./dom.js";
import { noteResult } from "./progress.js";
import { heldSeats, savedGames } from "./saved_seats.js";
import { describeStanding, inOrder } from "./standings.js";
import { HOME } from "./strings.js";
import { formatDay } from "./text_format.js";

/** @import { SeatStatus } from "./protocol.js" */
/** @import { StandingKind } from "./standings.js" */
/** @typedef {{ kind?: StandingKind, text?: string }} GameStanding */
/** @typedef {ReturnType<typeof savedGames>[number] & GameStanding} Game */

const MAX_GAMES = 6;
const MAX_REQUESTS = 20;

/** Return the section with the player's games, or null if there are none. */
export function myGames() {
  const games = savedGames().slice(0, MAX_REQUESTS);
  if (!games.length) return null;
  const list = el("ul", { "data-testid": "my-games" }, items(games));
  const section = el("section", { class: "my-games" }, el("h2", {}, HOME.yourGames), list);
  fetchStandings(heldSeats(games.map(({ id }) => id)))
    .then((standings) => {
      for (const standing of standings) noteResult(standing);
      const known = withStandings(games, standings);
      if (known.length) list.replaceChildren(...items(known));
      else section.remove();
    })
    .catch(() => {}); // the list stays as this browser knows it
  return section;
}

/**
 * Return the games that still exist, each with its state.
 *
 * @param {Game[]} games
 * @param {SeatStatus[]} standings
 * @returns {Game[]}
 */
function withStandings(games, standings) {
  const byId = new Map(standings.map((standing) => [standing.id, standing]));
  const known = games.flatMap((game) => {
    const standing = byId.get(game.id);
    return standing ? [{ ...game, title: standing.title, ...describeStanding(standing) }] : [];
  });
  return inOrder(known);
}

/** @param {Game[]} games */
function items(games) {
  return games
    .slice(0, MAX_GAMES)
    .map(({ id, title, when, over, opponent, kind, text }) =>
      el(
        "li",
        { class: kind },
        el("a", { href: pagePath(id) }, title ?? HOME.aGame),
        el("span", { class: "standing" }, text ?? (over ? HOME.over : HOME.inProgress)),
        el("span", { class: "muted" }, [opponent, formatDay(when)].filter(Boolean).join(", ")),
      ),
    );
}
