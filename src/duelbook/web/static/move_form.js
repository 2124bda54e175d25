// Choosing a move by buttons, one word at a time or whole, or by typing it.

import * as choice from "./partial_move.js";
import { button, el } from "./dom.js";

const FEW = 6;
const KEY = "duelbook.whole";
const DOUBLE = 500;
const RANGE = /(\(\d+-\d+\):?)/;

export class Chooser {
  // `play(move)` is called with a move, `changed()` whenever what is chosen has changed. `way` is
  // how the player chose last: `pressed` by key, `clicked`, `typed`, or `pointed` by key.
  constructor({ play, changed, name }) {
    Object.assign(this, { play, changed, name, legal: [], choice: choice.nothing, pending: false });
    this.question = el("p", { class: "question", id: "question" });
    this.options = el("div", { class: "options", role: "group", tabindex: "-1", "aria-labelledby": "question", "data-testid": "options" });
    this.back = button("Choose again", () => this.reset(true), { class: "quiet", "data-testid": "choose-again" });
    this.style = button("", () => this.changeStyle(), { class: "quiet", "data-testid": "move-style" });
    this.input = el("input", { type: "text", name: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "data-testid": "typed-move" });
    const typed = el("form", { class: "typed" }, el("label", {}, "Or type your move", this.input), el("button", { type: "submit" }, "Play"));
    typed.addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(this.input.value);
    });
    this.refusal = el("p", { class: "refusal", role: "alert", "data-testid": "refusal" });
    this.box = el("section", { class: "sheet chooser", "aria-label": "Your move", hidden: true }, this.question, this.options, el("div", { class: "row" }, this.back, this.style), typed, this.refusal);
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isBegun()) this.reset(true);
    });
  }

  // Asks for a move of a view, or hides if there is none to make.
  ask(view, legal) {
    this.view = view;
    this.legal = legal;
    this.pending = false;
    this.askedAt = performance.now();
    this.choice = choice.nothing;
    this.input.value = "";
    this.refusal.textContent = "";
    this.box.hidden = !legal.length;
    this.render();
  }

  isBegun() {
    return Boolean(this.choice.words.length || this.choice.held.length);
  }

  can(piece) {
    return !this.pending && choice.canPoint(this.legal, piece);
  }

  chosen(piece) {
    return choice.isChosen(this.legal, this.choice, piece);
  }

  // The second half of a double click is no answer to the question that came in between.
  isEcho(event) {
    return event.detail > 1 && performance.now() - this.askedAt < DOUBLE;
  }

  point(piece, event) {
    if (this.pending || this.isEcho(event)) return;
    this.way = event.detail ? "clicked" : "pointed";
    const next = choice.point(this.legal, this.choice, piece);
    if (next) this.choose(next, false);
  }

  type(text) {
    if (this.pending) return;
    this.way = "typed";
    const { aliases } = this.view;
    const next = choice.read(this.legal, this.choice, text, aliases);
    this.input.value = "";
    if (next) this.choose(next, false);
    else if (text.trim()) this.send(choice.spell(this.legal, this.choice, text, aliases)); // the book says why not
  }

  choose(next, focus = true) {
    this.askedAt = performance.now();
    this.refusal.textContent = "";
    this.choice = next;
    const move = choice.complete(this.legal, next);
    if (move) {
      this.send(move);
      return;
    }
    this.render();
    this.changed();
    if (focus) this.focus();
  }

  send(move) {
    this.pending = this.play(move);
    this.sent = move;
    if (!this.pending) this.refuse("You are not connected: the move was not made.");
    else this.render();
    this.changed();
  }

  // A refused move leaves everything as it was before it.
  refuse(why, code = "") {
    this.pending = false;
    if (choice.complete(this.legal, this.choice)) this.choice = choice.nothing;
    this.render();
    const typed = this.way === "typed";
    const reason = code === "invalid" && typed ? "That is no answer here." : this.name(why);
    const answers = typed && this.legal.length ? choice.answers(this.legal, this.choice, this.view.aliases) : "";
    this.refusal.textContent = [reason, answers && `You can answer: ${answers}.`].filter(Boolean).join(" ");
    this.changed();
  }

  reset(focus) {
    this.choice = choice.nothing;
    this.refusal.textContent = "";
    this.render();
    this.changed();
    if (focus) this.focus();
  }

  isWhole() {
    try {
      const kept = localStorage.getItem(KEY);
      if (kept !== null) return kept === "yes";
    } catch {
      // Then nothing is kept.
    }
    return this.legal.length <= FEW;
  }

  changeStyle() {
    try {
      localStorage.setItem(KEY, this.isWhole() ? "no" : "yes");
    } catch {
      return;
    }
    this.render();
  }

  render() {
    const { words, options } = choice.next(this.legal, this.choice);
    const said = words.join(" ");
    const whole = this.isWhole();
    const heard = this.view?.heard?.[said];
    const question = this.view?.questions?.[said] ?? "Your move?";
    const asked = question.trim().replace(/\n?>\s*$/, "");
    const text = this.name([heard, asked].filter(Boolean).join("\n"));
    this.question.replaceChildren(...text.split(RANGE).map((part, at) => (at % 2 ? el("span", { class: "unbroken" }, part) : part)));
    const buttons = whole
      ? choice.left(this.legal, this.choice).map((move) => this.option(this.called(move.split(" ")), { words: move.split(" "), move }))
      : choice.inOrder(options, this.view?.aliases).map((one) => this.option(this.label(one, words), one));
    this.options.replaceChildren(...(this.pending ? [] : buttons));
    if (this.pending) this.question.textContent = `Playing ${this.sent}…`;
    this.back.hidden = !this.isBegun() || Boolean(this.pending);
    this.style.textContent = whole ? "One word at a time" : "Show whole moves";
    this.style.hidden = Boolean(this.pending) || !this.legal.some((move) => move.includes(" "));
    this.box.setAttribute("aria-busy", String(Boolean(this.pending)));
  }

  // The words that a button stands for: also those that need no choosing any more.
  label({ word, move }, words) {
    const lead = words.slice(this.choice.words.length).filter((one) => /^\p{L}/u.test(one));
    if (!word) return "That is all";
    if (this.choice.held.length) return word;
    if (move) return this.called(move.split(" ").slice(this.choice.words.length));
    return this.called([...lead, word]);
  }

  // Words with the answer to the book's question that means the first of them: `yes: fortify`.
  called(words) {
    const aliases = Object.entries(this.view?.aliases ?? {});
    const said = aliases.find(([alias, word]) => word === words[0] && /^\p{L}/u.test(alias))?.[0];
    const rest = words.join(" ");
    return said && !this.choice.words.length ? [el("span", { class: "answer" }, `${said}:`), " ", rest] : rest;
  }

  option(text, { words, move }) {
    const click = (event) => {
      if (this.isEcho(event)) return;
      this.way = event.detail ? "clicked" : "pressed";
      this.choose({ words, held: this.choice.held });
    };
    return button(text, click, { "data-word": words.at(-1), "data-move": move, disabled: Boolean(this.pending) });
  }

  // Only whoever pressed a button before is put on one: a stray key makes no move for others.
  focus(way = this.way) {
    const one = way === "typed" ? this.input : way === "pressed" ? this.options.querySelector("button") : null;
    (one ?? this.options).focus({ preventScroll: true });
  }
}
