// Going on with a saved game, or looking at one that is over.

import { el } from "./dom.js";
import * as seats from "./saved_seats.js";
import { LEVELS } from "./setup.js";
import { start } from "./create_game.js";

export function upload(books) {
  const file = el("input", { type: "file", name: "file", accept: ".json,application/json", "data-testid": "save-file" });
  const mode = el(
    "select",
    { name: "mode" },
    el("option", { value: "device" }, "at this device"),
    el("option", { value: "friend" }, "with a friend, by link"),
    el("option", { value: "computer" }, "against the computer"),
  );
  const level = el("select", { name: "level" }, LEVELS.map(([value, label]) => el("option", { value, selected: value === "medium" }, label)));
  const seat = el("select", { name: "seat" }, el("option", { value: "0" }, "Player 1"), el("option", { value: "1" }, "Player 2"));
  const levels = el("label", {}, "How strong?", level);
  const sides = el("label", {}, "You are", seat);
  const fit = () => {
    levels.hidden = mode.value !== "computer";
    sides.hidden = mode.value === "device";
  };
  mode.addEventListener("change", fit);
  fit();
  const refusal = el("p", { class: "refusal", role: "alert" });
  const form = el(
    "form",
    { class: "sheet stack" },
    el("h2", {}, "A saved game"),
    el("label", {}, "The file that you downloaded here or saved at the terminal", file),
    el("label", {}, "Go on", mode),
    el("div", { class: "fields" }, levels, sides),
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
      const device = mode.value === "device";
      const me = device ? {} : { name: seats.myName(), seat: Number(seat.value) };
      await start({ book: slug, mode: mode.value, level: level.value, save, ...me }, title);
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
