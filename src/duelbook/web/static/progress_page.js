// The progress page: results by opponent, and a file for another browser.

import { button, el, messageOf } from "./dom.js";
import { finishedGames, importProgress, progressText, tally } from "./progress.js";
import { LEVEL } from "./protocol.js";
import { PAGE, PROGRESS } from "./strings.js";

/** @import { Book } from "./protocol.js" */
/** @import { FinishedGame } from "./progress.js" */

const FILE = "duelbook-progress.json";
const MAX_FILE_BYTES = 5_000_000;

/**
 * @param {HTMLElement} page
 * @param {Book[]} books
 */
export function showProgress(page, books) {
  document.title = PAGE.title(PROGRESS.title);
  const list = el("div", { class: "stack", "data-testid": "progress" });
  const refresh = () => list.replaceChildren(...sections(books, finishedGames()));
  page.replaceChildren(
    el("p", {}, el("a", { class: "nav-link", href: "#" }, PROGRESS.allGames)),
    el(
      "section",
      { class: "page-intro" },
      el("h1", { tabindex: "-1" }, PROGRESS.title),
      el("p", {}, PROGRESS.lead),
    ),
    list,
    fileSection(refresh),
  );
  refresh();
}

/**
 * @param {Book[]} books
 * @param {FinishedGame[]} games
 */
function sections(books, games) {
  if (!games.length) return [el("p", { class: "muted" }, PROGRESS.nothing)];
  const titles = new Map(games.map(({ book, title }) => [book, title]));
  for (const { slug, title } of books) if (titles.has(slug)) titles.set(slug, title);
  return [...titles].map(([slug, title]) => {
    const bookGames = games.filter(({ book }) => book === slug);
    const book = books.find((known) => known.slug === slug);
    return el(
      "section",
      { class: "sheet stack" },
      el("h2", {}, title),
      badge(bookGames, book),
      table(bookGames),
    );
  });
}

/**
 * Return a line that says whether the player has beaten, or could beat, perfect play.
 *
 * @param {FinishedGame[]} games
 * @param {Book | undefined} book
 */
function badge(games, book) {
  const hasBeaten = games.some(({ level, result }) => level === LEVEL.perfect && result === "won");
  if (hasBeaten)
    return el("p", { class: "achievement", "data-testid": "beat-perfect" }, PROGRESS.beaten);
  const winner = book?.effort?.beats_perfect;
  return winner ? el("p", { class: "muted" }, PROGRESS.canBeat[winner]) : null;
}

/** @param {FinishedGame[]} games */
function table(games) {
  const head = [PROGRESS.opponent, PROGRESS.won, PROGRESS.lost, PROGRESS.drawn];
  const rows = tally(games, Object.values(LEVEL)).map(({ level, won, lost, drawn }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, level ? PROGRESS.computer(level) : PROGRESS.friends),
      [won, lost, drawn].map((count) => el("td", {}, count)),
    ),
  );
  return el(
    "table",
    { class: "results-table" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        head.map((text) => el("th", { scope: "col" }, text)),
      ),
    ),
    el("tbody", {}, rows),
  );
}

/** @param {() => void} onImport */
function fileSection(onImport) {
  const message = el("p", { role: "status", "data-testid": "progress-message" });
  const file = el("input", {
    type: "file",
    accept: ".json,application/json",
    "data-testid": "progress-file",
  });
  file.addEventListener("change", async () => {
    try {
      message.textContent = PROGRESS.imported(await read(file.files?.[0]));
      message.className = "";
      onImport();
    } catch (error) {
      message.textContent = messageOf(error);
      message.className = "refusal";
    }
    file.value = "";
  });
  return el(
    "section",
    { class: "sheet stack" },
    el("h2", {}, PROGRESS.file),
    el("p", { class: "muted" }, PROGRESS.aboutFile),
    el("div", { class: "row" }, button(PROGRESS.download, download, { "data-testid": "export" })),
    el("label", {}, PROGRESS.choose, file),
    message,
  );
}

/** @param {File | undefined} file */
async function read(file) {
  if (!file) throw new Error(PROGRESS.notOurs);
  if (file.size > MAX_FILE_BYTES) throw new Error(PROGRESS.tooLarge);
  return importProgress(await file.text());
}

function download() {
  const url = URL.createObjectURL(
    new Blob([progressText(finishedGames())], { type: "application/json" }),
  );
  el("a", { href: url, download: FILE }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}
