// The form that opens a saved game, to continue or review it.

import { createGame } from "./create_game.js";
import { el, messageOf } from "./dom.js";
import { bookOfSave, LEVELS, OTHER_PLAYERS } from "./game_options.js";
import { MODE } from "./protocol.js";
import { savedName } from "./saved_seats.js";
import { SETUP, UPLOAD, WHO } from "./strings.js";

/** @import { Book } from "./protocol.js" */

const MODES = [
  [MODE.device, UPLOAD.device],
  [MODE.friend, UPLOAD.friend],
  [MODE.computer, UPLOAD.computer],
];
const SEATS = [
  ["0", WHO.player(1)],
  ["1", WHO.player(2)],
];

/** @param {Book[]} books */
export function uploadForm(books) {
  const file = el("input", {
    type: "file",
    name: "file",
    accept: ".json,application/json",
    "data-testid": "save-file",
  });
  const mode = selectField("mode", MODES, MODE.device);
  const level = selectField("level", [...LEVELS, ...OTHER_PLAYERS], "medium");
  const seat = selectField("seat", SEATS, "0");
  const levelLabel = el("label", {}, SETUP.level, level);
  const seatLabel = el("label", {}, UPLOAD.youAre, seat);
  const update = () => {
    levelLabel.hidden = mode.value !== MODE.computer;
    seatLabel.hidden = mode.value === MODE.device;
  };
  mode.addEventListener("change", update);
  update();
  const refusal = el("p", { class: "refusal", role: "alert" });
  const form = el(
    "form",
    { class: "sheet stack" },
    el("h2", {}, UPLOAD.title),
    el("label", {}, UPLOAD.file, file),
    el("label", {}, UPLOAD.mode, mode),
    el("div", { class: "fields" }, levelLabel, seatLabel),
    refusal,
    el("button", { type: "submit" }, UPLOAD.open),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    refusal.textContent = "";
    const options = { mode: mode.value, level: level.value, seat: Number(seat.value) };
    try {
      await openSave(books, file.files?.[0], options);
    } catch (error) {
      refusal.textContent = messageOf(error);
    }
  });
  return form;
}

/**
 * @param {Book[]} books
 * @param {File | undefined} file
 * @param {{ mode: string, level: string, seat: number }} options
 */
async function openSave(books, file, { mode, level, seat }) {
  if (!file) throw new Error(UPLOAD.chooseFirst);
  const save = await file.text();
  const book = bookOfSave(save);
  const title = books.find(({ slug }) => slug === book)?.title;
  const me = mode === MODE.device ? {} : { name: savedName(), seat };
  await createGame({ book, mode, level, save, ...me }, title);
}

/**
 * @param {string} name
 * @param {string[][]} options
 * @param {string} chosen
 */
function selectField(name, options, chosen) {
  const items = options.map(([value, label]) =>
    el("option", { value, selected: value === chosen }, label),
  );
  return el("select", { name }, items);
}
