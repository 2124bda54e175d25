// Which page this is.

import { home } from "./home.js";
import { game } from "./game.js";
import { lost } from "./not_found.js";

const page = document.getElementById("page");
const found = location.pathname.match(/^\/g\/([^/]+)\/?$/);

if (found) game(page, decoded(found[1]));
else if (location.pathname === "/") home(page);
else lost(page);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
