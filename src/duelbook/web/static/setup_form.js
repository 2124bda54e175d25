// The form that starts a game: whom to play, who starts, with or without a clock.

import { RequestError } from "./api.js";
import { createGame } from "./create_game.js";
import { el, messageOf } from "./dom.js";
import { CLOCKS, CUSTOM_CLOCK, LEVELS, newGame, OTHER_PLAYERS, STARTS } from "./game_options.js";
import { levelFor, storeLevel } from "./preferences.js";
import { CODE, MODE } from "./protocol.js";
import { savedName, saveName } from "./saved_seats.js";
import { SETUP, WHO } from "./strings.js";

/** @import { Book } from "./protocol.js" */
/** @typedef {ReturnType<typeof buildFields>} Fields */

const MODES = [
  [MODE.computer, SETUP.computer, SETUP.aboutComputer],
  [MODE.friend, SETUP.friend, SETUP.aboutFriend],
  [MODE.device, SETUP.device, SETUP.aboutDevice],
];
const START_OPTIONS = [
  [STARTS.me, SETUP.iStart],
  [STARTS.other, SETUP.otherStarts],
  [STARTS.chance, SETUP.chance],
];

/** @param {Book} book */
export function setupForm(book) {
  const fields = buildFields(levelFor(book.slug));
  const isLevel = LEVELS.some(([name]) => name === levelFor(book.slug));
  fields.otherPlayers.hidden = isLevel; // they appear if no level can play this game
  const form = el(
    "form",
    { class: "sheet stack", novalidate: true },
    fields.modes,
    fields.levels,
    fields.otherPlayers,
    el("div", { class: "fields" }, fields.name, fields.other),
    fields.starts,
    el("div", { class: "stack" }, el("label", {}, SETUP.clock, fields.clock), fields.customClock),
    fields.help,
    el("div", { class: "setup-submit stack" }, fields.refusal, fields.submit),
  );
  const value = (/** @type {string} */ field) => String(new FormData(form).get(field) ?? "");
  const update = () => updateFields(fields, book, value);
  form.addEventListener("change", ({ target }) => {
    // Help is the default against the computer, not against a friend.
    if (target instanceof HTMLInputElement && target.name === "mode")
      fields.allow.checked = value("mode") === MODE.computer;
    update();
  });
  update();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fields.refusal.textContent = isClockValid(fields) ? "" : SETUP.badClock;
    if (fields.refusal.textContent) return;
    fields.submit.disabled = true;
    try {
      const name = value("name").trim();
      if (name && value("mode") !== MODE.device) saveName(name);
      await createGame(newGame(book, value), book.title);
      if (value("mode") === MODE.computer) storeLevel(book.slug, value("level"));
    } catch (error) {
      fields.refusal.textContent = messageOf(error);
      fields.submit.disabled = false;
      if (error instanceof RequestError && error.code === CODE.level)
        fields.otherPlayers.hidden = false;
      fields.refusal.scrollIntoView({ block: "nearest" });
    }
  });
  return form;
}

/** @param {string} level the selected computer player */
function buildFields(level) {
  const minutes = el("input", {
    ...{ type: "number", name: "minutes", min: "0.1", max: "360", step: "any", value: "5" },
  });
  const extra = el("input", {
    ...{ type: "number", name: "extra", min: "0", max: "300", step: "1", value: "3" },
  });
  const options = CLOCKS.map(([value, label]) => el("option", { value }, label));
  const both = el("span", { class: "muted" }, SETUP.whenBoth);
  const allow = el("input", { type: "checkbox", name: "help", checked: true });
  return {
    allow,
    minutes,
    extra,
    modes: radioGroup("mode", SETUP.whom, MODES, MODE.computer),
    levels: radioGroup("level", SETUP.level, LEVELS, level, "inline"),
    otherPlayers: radioGroup("level", SETUP.others, OTHER_PLAYERS, level, "inline"),
    starts: radioGroup("begins", SETUP.starts, START_OPTIONS, STARTS.me, "inline"),
    name: textField("name", SETUP.yourName, savedName()),
    other: textField("other", SETUP.nameOf(2), ""),
    clock: el("select", { name: "clock" }, options),
    customClock: el(
      "div",
      { class: "fields" },
      el("label", {}, SETUP.minutes, minutes),
      el("label", {}, SETUP.extra, extra),
    ),
    help: el("label", { class: "checkbox-label" }, allow, el("span", {}, `${SETUP.help} `, both)),
    refusal: el("p", { class: "refusal", role: "alert" }),
    submit: el("button", { class: "primary", type: "submit", "data-testid": "start" }, SETUP.start),
  };
}

/**
 * Show the fields that the mode needs, with the labels for it.
 *
 * @param {Fields} fields
 * @param {Book} book
 * @param {(field: string) => string} value
 */
function updateFields(fields, book, value) {
  const mode = value("mode");
  const isDevice = mode === MODE.device;
  fields.levels.hidden = mode !== MODE.computer;
  if (mode !== MODE.computer) fields.otherPlayers.hidden = true;
  fields.other.hidden = !isDevice;
  setText(fields.name, isDevice ? SETUP.nameOf(1) : SETUP.yourName);
  const opponent = mode === MODE.friend ? SETUP.myFriend : SETUP.computer;
  const players = isDevice ? [WHO.player(1), WHO.player(2)] : [SETUP.iStart, opponent];
  const labels = fields.starts.querySelectorAll(".radio-option");
  players.forEach((text, at) => {
    setText(labels[at], text);
  });
  fields.starts.hidden = isDevice && Boolean(book.player_1_starts);
  fields.customClock.hidden = value("clock") !== CUSTOM_CLOCK;
  fields.submit.textContent = mode === MODE.friend ? SETUP.startAndGetLink : SETUP.start;
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
function isClockValid({ customClock, minutes, extra }) {
  return (
    customClock.hidden || [minutes, extra].every((field) => field.value && field.checkValidity())
  );
}

/**
 * @param {string} name
 * @param {string} legend
 * @param {string[][]} options
 * @param {string} selected
 * @param {string} [kind]
 */
function radioGroup(name, legend, options, selected, kind = "") {
  const labels = options.map(([value, label, about]) =>
    el(
      "label",
      { class: "radio-option" },
      el("input", { type: "radio", name, value, checked: value === selected }),
      el("span", {}, label, about && el("small", {}, about)),
    ),
  );
  return el(
    "fieldset",
    {},
    el("legend", {}, legend),
    el("div", { class: `radio-options ${kind}` }, labels),
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
