// Shows the page that the address asks for.

import { showGame } from "./game.js";
import { showHome } from "./home.js";
import { showNotFound } from "./not_found.js";

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
const found = location.pathname.match(/^\/g\/([^/]+)\/?$/);

if (found) showGame(page, decoded(found[1]));
else if (location.pathname === "/") showHome(page);
else showNotFound(page);
