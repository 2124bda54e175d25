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

const PROGRESS = "#progress";
const RETRY = 5_000;
const NEAR = "250px";

/** @param {HTMLElement} page */
export async function showHome(page) {
  let { books, isOnline } = await loadBooks(page);
  const show = () => {
    const book = books.find(({ slug }) => `#${slug}` === location.hash);
    if (location.hash === PROGRESS) showProgress(page, books);
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
    await sooner(RETRY);
    ({ books, isOnline } = await loadBooks(page, books));
    if (isOnline) show();
  }
}

/**
 * The games of the server, or those that it had last time.
 *
 * @param {HTMLElement} page
 * @param {Book[]} [known]
 */
async function loadBooks(page, known) {
  try {
    const books = await fetchBooks();
    storeBooks(books);
    return { books, isOnline: true };
  } catch (error) {
    if (error instanceof RequestError && error.status === UNREACHABLE)
      return { books: known ?? storedBooks(), isOnline: false };
    page.replaceChildren(el("p", { class: "notice" }, `${messageOf(error)} ${HOME.reload}`));
    throw error;
  }
}

/**
 * Wait for some time, or until the browser says that there is a network again.
 *
 * @param {number} milliseconds
 */
function sooner(milliseconds) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), milliseconds);
    const hurry = () => {
      clearTimeout(timer);
      resolve(null);
    };
    addEventListener("online", hurry, { once: true });
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
      { class: "lead" },
      el("h1", { tabindex: "-1" }, HOME.heading),
      el("p", {}, HOME.lead, " ", el("a", { class: "way", href: PROGRESS }, HOME.progress)),
    ),
    isOnline ? "" : offlineNotice(),
    myGames() ?? "",
    el(
      "ul",
      { class: "books" },
      cards.map(({ card }) => card),
    ),
    isOnline ? uploadForm(books) : "",
  );
  drawWhenNear(cards);
}

/**
 * Draw the pictures of cards that are on the screen at once, so that nothing moves under a finger.
 * The others are drawn when they are near, each by itself, so that nobody has to wait for them.
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
    { rootMargin: NEAR },
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
