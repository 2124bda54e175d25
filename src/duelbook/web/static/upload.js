// Going on with a saved game, or looking at one that is over.

import { el } from "./dom.js";
import * as seats from "./seats.js";
import { start } from "./start.js";

export function upload(books) {
  const file = el("input", { type: "file", name: "file", accept: ".json,application/json", "data-testid": "save-file" });
  const mode = el(
    "select",
    { name: "mode" },
    el("option", { value: "device" }, "at this device"),
    el("option", { value: "friend" }, "with a friend, by link"),
    el("option", { value: "computer" }, "against the computer"),
  );
  const refusal = el("p", { class: "refusal", role: "alert" });
  const form = el(
    "form",
    { class: "sheet stack" },
    el("h2", {}, "A saved game"),
    el("label", {}, "The file that you downloaded here or saved at the terminal", file),
    el("label", {}, "Go on", mode),
    refusal,
    el("button", { type: "submit" }, "Open it"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    refusal.textContent = "";
    try {
      if (!file.files.length) throw new Error("Choose a file first.");
      const save = await file.files[0].text();
      const slug = bookOf(save);
      const title = books.find((book) => book.slug === slug)?.title;
      const name = mode.value === "device" ? "" : seats.myName();
      await start({ book: slug, mode: mode.value, name, save }, title);
    } catch (problem) {
      refusal.textContent = problem.message;
    }
  });
  return form;
}

function bookOf(save) {
  try {
    const { game } = JSON.parse(save);
    if (typeof game === "string") return game;
  } catch {
    // Then it is said below.
  }
  throw new Error("This is no saved game of Duelbook.");
}
