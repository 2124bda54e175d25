// Shows the page of the current address.

import { announceArrivals } from "./arrivals.js";
import { showGame } from "./game.js";
import { showHome } from "./home.js";
import { showNotFound } from "./not_found.js";
import { showRulesList, showRulesPage } from "./rules_page.js";

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
const game = location.pathname.match(/^\/g\/([^/]+)\/?$/);
const rules = location.pathname.match(/^\/rules(?:\/([^/]+))?\/?$/);

if (game) showGame(page, decoded(game[1]));
else if (rules?.[1]) showRulesPage(page, decoded(rules[1]));
else if (rules) showRulesList(page);
else if (location.pathname === "/") showHome(page);
else showNotFound(page);
announceArrivals(game ? decoded(game[1]) : undefined);
addEventListener("load", () => {
  navigator.serviceWorker?.register("/service_worker.js").catch(() => {}); // the page works without
});
