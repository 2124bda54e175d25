// The list of games, and the page on which one is set up.

import { fetchBooks, pagePath } from "./api.js";
import { el, messageOf } from "./dom.js";
import { Picture } from "./picture.js";
import { savedGames } from "./saved_seats.js";
import { showSetup } from "./setup.js";
import { formatDay } from "./text_format.js";
import { uploadForm } from "./upload.js";

/** @import { Book } from "./protocol.js" */

const MOST_GAMES = 5;
const LEAD =
  "Choose a game, then play the computer, a friend by link, or each other at this device.";

/** @param {HTMLElement} page */
export async function showHome(page) {
  /** @type {Book[]} */
  let books;
  try {
    books = await fetchBooks();
  } catch (error) {
    const text = `${messageOf(error)} Reload the page to try again.`;
    page.replaceChildren(el("p", { class: "notice" }, text));
    return;
  }
  const show = () => {
    const book = books.find(({ slug }) => `#${slug}` === location.hash);
    if (book) showSetup(page, book);
    else showBooks(page, books);
  };
  addEventListener("hashchange", () => {
    show();
    page.querySelector("h1")?.focus();
    scrollTo(0, 0);
  });
  show();
}

/**
 * @param {HTMLElement} page
 * @param {Book[]} books
 */
function showBooks(page, books) {
  document.title = "Duelbook: two players, one rule book";
  const cards = books.map(bookCard);
  const title = el("h1", { tabindex: "-1" }, "Two players, one rule book.");
  const items = cards.map(({ item }) => item);
  page.replaceChildren(
    el("section", { class: "lead" }, title, el("p", {}, LEAD)),
    myGames() ?? "",
    el("ul", { class: "books" }, items, el("li", {}, uploadForm(books))),
  );
  for (const { draw } of cards) draw();
}

/** @param {Book} book */
function bookCard({ slug, title, about, scene }) {
  const box = el("div", { class: "card-picture" });
  const link = el(
    "a",
    { class: "card", href: `#${slug}`, "data-testid": `book-${slug}` },
    box,
    el("h2", {}, title),
    el("p", {}, about),
  );
  return { item: el("li", {}, link), draw: () => new Picture(box).show(scene) };
}

function myGames() {
  const games = savedGames().slice(0, MOST_GAMES);
  if (!games.length) return null;
  const items = games.map(({ id, title, when, over, opponent }) =>
    el(
      "li",
      {},
      el("a", { href: pagePath(id) }, title ?? "A game"),
      el("span", {}, opponent),
      el("span", { class: "soft" }, `${formatDay(when)}, ${over ? "over" : "in progress"}`),
    ),
  );
  const list = el("ul", { "data-testid": "mine" }, items);
  return el("section", { class: "mine" }, el("h2", {}, "Your games"), list);
}
