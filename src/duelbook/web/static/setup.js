// Setting up a game: whom to play, who begins, with or without a clock.

import { el } from "./dom.js";
import { Picture } from "./picture.js";
import { rulesInto } from "./rules.js";
import * as seats from "./saved_seats.js";
import { start } from "./create_game.js";

const MODES = [
  ["computer", "The computer", "at a level of your choice"],
  ["friend", "A friend", "by a link that you send"],
  ["device", "Each other", "both at this device"],
];
export const LEVELS = [
  ["easy", "Easy"],
  ["medium", "Medium"],
  ["hard", "Hard"],
  ["perfect", "Perfect"],
];
const CLOCKS = [
  ["", "No clock"],
  ["60+0", "1 minute each"],
  ["180+2", "3 minutes, 2 seconds a move"],
  ["300+0", "5 minutes each"],
  ["600+5", "10 minutes, 5 seconds a move"],
  ["own", "Another time"],
];

export function setup(page, book) {
  document.title = `${book.title} · Duelbook`;
  const picture = el("div", { class: "picture-box" });
  const rules = el("div", { class: "rules" });
  const details = el("details", { class: "sheet", open: innerWidth > 960 }, el("summary", {}, "The rules"), rules);
  details.addEventListener("toggle", () => details.open && rulesInto(rules, book.slug));
  if (details.open) rulesInto(rules, book.slug);
  page.replaceChildren(
    el("p", {}, el("a", { href: "#" }, "All games")),
    el("section", { class: "lead" }, el("h1", { tabindex: "-1" }, book.title), el("p", {}, book.about)),
    el("div", { class: "setup" }, el("div", { class: "stack" }, picture, details), form(book)),
  );
  new Picture(picture).show(book.scene);
}

function form(book) {
  const refusal = el("p", { class: "refusal", role: "alert" });
  const modes = picks("mode", "Whom do you play?", MODES, "computer");
  const levels = picks("level", "How strong?", LEVELS, "medium", "across");
  const begins = picks("begins", "Who begins?", [["me", "I do"], ["other", "The other"], ["chance", "Chance"]], "me", "across");
  const name = text("name", "Your name", seats.myName());
  const other = text("other", "The other's name", "");
  const clock = el("select", { name: "clock" }, CLOCKS.map(([value, label]) => el("option", { value }, label)));
  const minutes = el("input", { type: "number", name: "minutes", min: "0.1", max: "360", step: "any", value: "5" });
  const extra = el("input", { type: "number", name: "extra", min: "0", max: "300", step: "1", value: "3" });
  const own = el("div", { class: "fields" }, el("label", {}, "Minutes each", minutes), el("label", {}, "Seconds for each move", extra));
  const help = el("label", { class: "check" }, el("input", { type: "checkbox", name: "help" }), el("span", {}, "Allow hints and the evaluation bar ", el("span", { class: "soft" }, "(when both sides do)")));
  const go = el("button", { class: "main", type: "submit", "data-testid": "start" }, "Start");
  const box = el(
    "form",
    { class: "sheet stack", novalidate: true },
    modes,
    levels,
    el("div", { class: "fields" }, name, other),
    begins,
    el("div", { class: "stack" }, el("label", {}, "Clock", clock), own),
    help,
    refusal,
    go,
  );
  const said = (field) => new FormData(box).get(field);
  const fit = () => {
    const mode = said("mode");
    levels.hidden = mode !== "computer";
    other.hidden = mode !== "device";
    name.querySelector("span").textContent = mode === "device" ? "Player 1 is called" : "Your name";
    other.querySelector("span").textContent = "Player 2 is called";
    const [me, them] = mode === "device" ? ["Player 1", "Player 2"] : ["I do", mode === "friend" ? "My friend" : "The computer"];
    begins.querySelectorAll(".pick span")[0].textContent = me;
    begins.querySelectorAll(".pick span")[1].textContent = them;
    begins.hidden = mode === "device" && Boolean(book.player_1_starts);
    own.hidden = said("clock") !== "own";
    go.textContent = mode === "friend" ? "Start and get the link" : "Start";
  };
  box.addEventListener("change", fit);
  fit();
  box.addEventListener("submit", async (event) => {
    event.preventDefault();
    refusal.textContent = "";
    if (!own.hidden && !(minutes.checkValidity() && minutes.value && extra.checkValidity() && extra.value)) {
      refusal.textContent = "A clock has from 0.1 to 360 minutes, and each move adds from 0 to 300 whole seconds.";
      return;
    }
    go.disabled = true;
    try {
      if (said("name").trim() && said("mode") !== "device") seats.myName(said("name").trim());
      await start(wishes(book, said), book.title);
    } catch (problem) {
      refusal.textContent = problem.message;
      go.disabled = false;
    }
  });
  return box;
}

// Where a book says that Player 1 starts, whoever begins sits there.
function wishes(book, said) {
  const mode = said("mode");
  const begins = said("begins");
  const second = begins === "other" || (begins === "chance" && Math.random() < 0.5) ? 1 : 0;
  const device = mode === "device";
  return {
    book: book.slug,
    mode,
    seat: book.player_1_starts && !device ? second : 0,
    first: book.player_1_starts ? 0 : second,
    name: said("name").trim(),
    ...(device && { other: said("other").trim() }),
    ...(mode === "computer" && { level: said("level") }),
    clock: timeControl(said),
    help: said("help") === "on",
  };
}

function timeControl(said) {
  const chosen = said("clock");
  if (!chosen) return null;
  if (chosen === "own") {
    return { seconds: Math.round(Number(said("minutes")) * 60), increment: Math.round(Number(said("extra"))) };
  }
  const [seconds, increment] = chosen.split("+").map(Number);
  return { seconds, increment };
}

function picks(name, legend, options, chosen, kind = "") {
  const one = ([value, label, about]) =>
    el(
      "label",
      { class: "pick" },
      el("input", { type: "radio", name, value, checked: value === chosen }),
      el("span", {}, label, about && el("small", {}, about)),
    );
  return el("fieldset", {}, el("legend", {}, legend), el("div", { class: `choices ${kind}` }, options.map(one)));
}

function text(name, label, value) {
  return el("label", {}, el("span", {}, label), el("input", { type: "text", name, value, maxlength: "24", autocomplete: "off" }));
}
