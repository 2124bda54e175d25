// The form that starts a game: whom to play, who starts, with or without a clock.

import { RequestError } from "./api.js";
import { createGame } from "./create_game.js";
import { el, messageOf } from "./dom.js";
import { CLOCKS, LEVELS, newGame, OTHERS, OWN_CLOCK, STARTS } from "./game_options.js";
import { CODE, MODE } from "./protocol.js";
import { savedName, saveName } from "./saved_seats.js";

/** @import { Book } from "./protocol.js" */
/** @typedef {ReturnType<typeof buildFields>} Fields */

const MODES = [
  [MODE.computer, "The computer", "at a level of your choice"],
  [MODE.friend, "A friend", "by a link that you send"],
  [MODE.device, "Each other", "both at this device"],
];
const WHO_STARTS = [
  [STARTS.me, "I do"],
  [STARTS.other, "The other"],
  [STARTS.chance, "Chance"],
];
const BAD_CLOCK =
  "A clock has from 0.1 to 360 minutes, and each move adds from 0 to 300 whole seconds.";

/** @param {Book} book */
export function setupForm(book) {
  const fields = buildFields();
  fields.others.hidden = true; // until no level can play this game
  const form = el(
    "form",
    { class: "sheet stack", novalidate: true },
    fields.modes,
    fields.levels,
    fields.others,
    el("div", { class: "fields" }, fields.name, fields.other),
    fields.starts,
    el("div", { class: "stack" }, el("label", {}, "Clock", fields.clock), fields.ownClock),
    fields.help,
    fields.refusal,
    fields.submit,
  );
  const answer = (/** @type {string} */ field) => String(new FormData(form).get(field) ?? "");
  const update = () => updateFields(fields, book, answer);
  form.addEventListener("change", update);
  update();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fields.refusal.textContent = isClockValid(fields) ? "" : BAD_CLOCK;
    if (fields.refusal.textContent) return;
    fields.submit.disabled = true;
    try {
      const name = answer("name").trim();
      if (name && answer("mode") !== MODE.device) saveName(name);
      await createGame(newGame(book, answer), book.title);
    } catch (error) {
      fields.refusal.textContent = messageOf(error);
      fields.submit.disabled = false;
      if (error instanceof RequestError && error.code === CODE.level) fields.others.hidden = false;
      fields.refusal.scrollIntoView({ block: "nearest" });
    }
  });
  return form;
}

function buildFields() {
  const minutes = el("input", {
    ...{ type: "number", name: "minutes", min: "0.1", max: "360", step: "any", value: "5" },
  });
  const extra = el("input", {
    ...{ type: "number", name: "extra", min: "0", max: "300", step: "1", value: "3" },
  });
  const options = CLOCKS.map(([value, label]) => el("option", { value }, label));
  const both = el("span", { class: "soft" }, "(when both sides do)");
  return {
    minutes,
    extra,
    modes: radioGroup("mode", "Whom do you play?", MODES, MODE.computer),
    levels: radioGroup("level", "How strong?", LEVELS, "medium", "across"),
    others: radioGroup("level", "Or who else?", OTHERS, "", "across"),
    starts: radioGroup("begins", "Who starts?", WHO_STARTS, STARTS.me, "across"),
    name: textField("name", "Your name", savedName()),
    other: textField("other", "Name of Player 2", ""),
    clock: el("select", { name: "clock" }, options),
    ownClock: el(
      "div",
      { class: "fields" },
      el("label", {}, "Minutes each", minutes),
      el("label", {}, "Seconds for each move", extra),
    ),
    help: el(
      "label",
      { class: "check" },
      el("input", { type: "checkbox", name: "help" }),
      el("span", {}, "Allow hints and the evaluation bar ", both),
    ),
    refusal: el("p", { class: "refusal", role: "alert" }),
    submit: el("button", { class: "main", type: "submit", "data-testid": "start" }, "Start"),
  };
}

/**
 * Show the fields that matter for the kind of game, by fitting names.
 *
 * @param {Fields} fields
 * @param {Book} book
 * @param {(field: string) => string} answer
 */
function updateFields(fields, book, answer) {
  const mode = answer("mode");
  const isDevice = mode === MODE.device;
  fields.levels.hidden = mode !== MODE.computer;
  if (mode !== MODE.computer) fields.others.hidden = true;
  fields.other.hidden = !isDevice;
  setText(fields.name, isDevice ? "Name of Player 1" : "Your name");
  const opponent = mode === MODE.friend ? "My friend" : "The computer";
  const players = isDevice ? ["Player 1", "Player 2"] : ["I do", opponent];
  const labels = fields.starts.querySelectorAll(".pick");
  players.forEach((text, at) => {
    setText(labels[at], text);
  });
  fields.starts.hidden = isDevice && Boolean(book.player_1_starts);
  fields.ownClock.hidden = answer("clock") !== OWN_CLOCK;
  fields.submit.textContent = mode === MODE.friend ? "Start and get the link" : "Start";
}

/**
 * @param {Element} label
 * @param {string} text
 */
function setText(label, text) {
  const span = label.querySelector("span");
  if (span) span.textContent = text;
}

/** @param {Fields} fields */
function isClockValid({ ownClock, minutes, extra }) {
  return ownClock.hidden || [minutes, extra].every((one) => one.value && one.checkValidity());
}

/**
 * @param {string} name
 * @param {string} legend
 * @param {string[][]} options
 * @param {string} chosen
 * @param {string} [kind]
 */
function radioGroup(name, legend, options, chosen, kind = "") {
  const labels = options.map(([value, label, about]) =>
    el(
      "label",
      { class: "pick" },
      el("input", { type: "radio", name, value, checked: value === chosen }),
      el("span", {}, label, about && el("small", {}, about)),
    ),
  );
  return el(
    "fieldset",
    {},
    el("legend", {}, legend),
    el("div", { class: `choices ${kind}` }, labels),
  );
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} value
 */
function textField(name, label, value) {
  const input = el("input", { type: "text", name, value, maxlength: "24", autocomplete: "off" });
  return el("label", {}, el("span", {}, label), input);
}
