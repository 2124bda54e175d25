// The home page: the list of games, the setup page of a game, and the progress page.

import { fetchBooks, RequestError } from "./api.js";
import { el, messageOf } from "./dom.js";
import { gameCard } from "./game_card.js";
import { myGames } from "./my_games.js";
import { showProgress } from "./progress_page.js";
import { UNREACHABLE } from "./protocol.js";
import { showSetup } from "./setup.js";
import { storeBooks, storedBooks } from "./stored_books.js";
import { HOME, OFFLINE } from "./strings.js";
import { uploadForm } from "./upload.js";

/** @import { Book } from "./protocol.js" */

const PROGRESS_HASH = "#progress";
const RETRY_MS = 5_000;
const NEAR_MARGIN = "250px";

/** @param {HTMLElement} page */
export async function showHome(page) {
  let { books, isOnline } = await loadBooks(page);
  const show = () => {
    const book = books.find(({ slug }) => `#${slug}` === location.hash);
    if (location.hash === PROGRESS_HASH) showProgress(page, books);
    else if (book && isOnline) showSetup(page, book);
    else showBooks(page, books, isOnline);
  };
  addEventListener("hashchange", () => {
    show();
    page.querySelector("h1")?.focus();
    scrollTo(0, 0);
  });
  show();
  while (!isOnline) {
    await waitForNetwork(RETRY_MS);
    ({ books, isOnline } = await loadBooks(page, books));
    if (isOnline) show();
  }
}

/**
 * Fetch the games of the server; return the stored ones if the server is unreachable.
 *
 * @param {HTMLElement} page
 * @param {Book[]} [lastBooks]
 */
async function loadBooks(page, lastBooks) {
  try {
    const books = await fetchBooks();
    storeBooks(books);
    return { books, isOnline: true };
  } catch (error) {
    if (error instanceof RequestError && error.status === UNREACHABLE)
      return { books: lastBooks ?? storedBooks(), isOnline: false };
    page.replaceChildren(el("p", { class: "notice" }, `${messageOf(error)} ${HOME.reload}`));
    throw error;
  }
}

/**
 * Wait for some time, or until the browser is online again.
 *
 * @param {number} milliseconds
 */
function waitForNetwork(milliseconds) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), milliseconds);
    const resume = () => {
      clearTimeout(timer);
      resolve(null);
    };
    addEventListener("online", resume, { once: true });
  });
}

/**
 * @param {HTMLElement} page
 * @param {Book[]} books
 * @param {boolean} isOnline
 */
function showBooks(page, books, isOnline) {
  document.title = HOME.title;
  const cards = books.map((book) => gameCard(book, isOnline));
  page.replaceChildren(
    el(
      "section",
      { class: "page-intro" },
      el("h1", { tabindex: "-1" }, HOME.heading),
      el(
        "p",
        {},
        HOME.lead,
        " ",
        el("a", { class: "nav-link", href: PROGRESS_HASH }, HOME.progress),
      ),
    ),
    isOnline ? "" : offlineNotice(),
    myGames() ?? "",
    el(
      "ul",
      { class: "game-list" },
      cards.map(({ card }) => card),
    ),
    isOnline ? uploadForm(books) : "",
  );
  drawWhenNear(cards);
}

/**
 * Draw the pictures of visible cards at once, so that nothing moves under a finger. Draw the other
 * pictures one by one when they come near the screen.
 *
 * @param {{ card: HTMLElement, draw: () => void }[]} cards
 */
function drawWhenNear(cards) {
  const drawings = new Map(cards.map(({ card, draw }) => [/** @type {Element} */ (card), draw]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        setTimeout(() => drawings.get(target)?.());
      }
    },
    { rootMargin: NEAR_MARGIN },
  );
  for (const { card, draw } of cards) {
    if (card.getBoundingClientRect().top < innerHeight) draw();
    else observer.observe(card);
  }
}

function offlineNotice() {
  const text = `${OFFLINE.noServer} ${OFFLINE.needsServer}`;
  return el("p", { class: "notice", role: "status", "data-testid": "offline" }, text);
}
