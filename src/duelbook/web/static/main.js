// Which page this is.

import { home } from "./home.js";
import { game } from "./game.js";
import { lost } from "./lost.js";

const page = document.getElementById("page");
const found = location.pathname.match(/^\/g\/([^/]+)\/?$/);

if (found) game(page, decodeURIComponent(found[1]));
else if (location.pathname === "/") home(page);
else lost(page);
