// The shelf of games, and the page on which one is set up.

import * as api from "./api.js";
import { el } from "./dom.js";
import { Picture } from "./picture.js";
import * as seats from "./saved_seats.js";
import { setup } from "./setup.js";
import { upload } from "./upload.js";

const MOST = 5;

export async function home(page) {
  let books;
  try {
    books = await api.books();
  } catch (problem) {
    page.replaceChildren(el("p", { class: "notice" }, `${problem.message} Reload the page to try again.`));
    return;
  }
  const show = (move) => {
    const book = books.find(({ slug }) => `#${slug}` === location.hash);
    if (book) setup(page, book);
    else shelf(page, books);
    if (move) page.querySelector("h1")?.focus();
    if (move) scrollTo(0, 0);
  };
  addEventListener("hashchange", () => show(true));
  show(false);
}

function shelf(page, books) {
  document.title = "Duelbook: two players, one rule book";
  const cards = books.map(card);
  page.replaceChildren(
    el(
      "section",
      { class: "lead" },
      el("h1", { tabindex: "-1" }, "Two players, one rule book."),
      el("p", {}, "Choose a game, then play the computer, a friend by link, or each other at this device."),
    ),
    mine() ?? "",
    el("ul", { class: "shelf" }, cards.map(({ item }) => item), el("li", {}, upload(books))),
  );
  cards.forEach(({ draw }) => draw());
}

function card(book) {
  const box = el("div", { class: "card-picture" });
  const link = el(
    "a",
    { class: "card", href: `#${book.slug}`, "data-testid": `book-${book.slug}` },
    box,
    el("h2", {}, book.title),
    el("p", {}, book.about),
  );
  return { item: el("li", {}, link), draw: () => new Picture(box).show(book.scene) };
}

function mine() {
  const games = seats.games().slice(0, MOST);
  if (!games.length) return null;
  const item = ({ id, title, when, over, against }) =>
    el(
      "li",
      {},
      el("a", { href: `/g/${id}` }, title ?? "A game"),
      el("span", {}, against),
      el("span", { class: "soft" }, `${day(when)}, ${over ? "over" : "going on"}`),
    );
  return el("section", { class: "mine" }, el("h2", {}, "Your games"), el("ul", { "data-testid": "mine" }, games.map(item)));
}

function day(when) {
  const date = new Date(when);
  const today = date.toDateString() === new Date().toDateString();
  return today ? "Today" : date.toLocaleDateString([], { day: "numeric", month: "short" });
}
