// The form that starts a game: whom to play, who starts, with or without a clock.

import { RequestError } from "./api.js";
import { createGame } from "./create_game.js";
import { el, messageOf } from "./dom.js";
import { CLOCKS, LEVELS, newGame, OTHERS, OWN_CLOCK, STARTS } from "./game_options.js";
import { levelFor, rememberLevel } from "./preferences.js";
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
const WHO_STARTS = [
  [STARTS.me, SETUP.iStart],
  [STARTS.other, SETUP.otherStarts],
  [STARTS.chance, SETUP.chance],
];

/** @param {Book} book */
export function setupForm(book) {
  const fields = buildFields(levelFor(book.slug));
  const isLevel = LEVELS.some(([name]) => name === levelFor(book.slug));
  fields.others.hidden = isLevel; // until no level can play this game
  const form = el(
    "form",
    { class: "sheet stack", novalidate: true },
    fields.modes,
    fields.levels,
    fields.others,
    el("div", { class: "fields" }, fields.name, fields.other),
    fields.starts,
    el("div", { class: "stack" }, el("label", {}, SETUP.clock, fields.clock), fields.ownClock),
    fields.help,
    el("div", { class: "start stack" }, fields.refusal, fields.submit),
  );
  const answer = (/** @type {string} */ field) => String(new FormData(form).get(field) ?? "");
  const update = () => updateFields(fields, book, answer);
  form.addEventListener("change", ({ target }) => {
    // Help is the default against the computer, not against a friend.
    if (target instanceof HTMLInputElement && target.name === "mode")
      fields.allow.checked = answer("mode") === MODE.computer;
    update();
  });
  update();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fields.refusal.textContent = isClockValid(fields) ? "" : SETUP.badClock;
    if (fields.refusal.textContent) return;
    fields.submit.disabled = true;
    try {
      const name = answer("name").trim();
      if (name && answer("mode") !== MODE.device) saveName(name);
      await createGame(newGame(book, answer), book.title);
      if (answer("mode") === MODE.computer) rememberLevel(book.slug, answer("level"));
    } catch (error) {
      fields.refusal.textContent = messageOf(error);
      fields.submit.disabled = false;
      if (error instanceof RequestError && error.code === CODE.level) fields.others.hidden = false;
      fields.refusal.scrollIntoView({ block: "nearest" });
    }
  });
  return form;
}

/** @param {string} level whom the player chose last */
function buildFields(level) {
  const minutes = el("input", {
    ...{ type: "number", name: "minutes", min: "0.1", max: "360", step: "any", value: "5" },
  });
  const extra = el("input", {
    ...{ type: "number", name: "extra", min: "0", max: "300", step: "1", value: "3" },
  });
  const options = CLOCKS.map(([value, label]) => el("option", { value }, label));
  const both = el("span", { class: "soft" }, SETUP.whenBoth);
  const allow = el("input", { type: "checkbox", name: "help", checked: true });
  return {
    allow,
    minutes,
    extra,
    modes: radioGroup("mode", SETUP.whom, MODES, MODE.computer),
    levels: radioGroup("level", SETUP.level, LEVELS, level, "across"),
    others: radioGroup("level", SETUP.others, OTHERS, level, "across"),
    starts: radioGroup("begins", SETUP.starts, WHO_STARTS, STARTS.me, "across"),
    name: textField("name", SETUP.yourName, savedName()),
    other: textField("other", SETUP.nameOf(2), ""),
    clock: el("select", { name: "clock" }, options),
    ownClock: el(
      "div",
      { class: "fields" },
      el("label", {}, SETUP.minutes, minutes),
      el("label", {}, SETUP.extra, extra),
    ),
    help: el("label", { class: "check" }, allow, el("span", {}, `${SETUP.help} `, both)),
    refusal: el("p", { class: "refusal", role: "alert" }),
    submit: el("button", { class: "main", type: "submit", "data-testid": "start" }, SETUP.start),
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
  setText(fields.name, isDevice ? SETUP.nameOf(1) : SETUP.yourName);
  const opponent = mode === MODE.friend ? SETUP.myFriend : SETUP.computer;
  const players = isDevice ? [WHO.player(1), WHO.player(2)] : [SETUP.iStart, opponent];
  const labels = fields.starts.querySelectorAll(".pick");
  players.forEach((text, at) => {
    setText(labels[at], text);
  });
  fields.starts.hidden = isDevice && Boolean(book.player_1_starts);
  fields.ownClock.hidden = answer("clock") !== OWN_CLOCK;
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
function isClockValid({ ownClock, minutes, extra }) {
  return ownClock.hidden || [minutes, extra].every((field) => field.value && field.checkValidity());
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
