// The form for a move: by buttons, one word at a time or whole, or by typing it.

import { button, el } from "./dom.js";
import {
  keepWholeMoves,
  moveLabel,
  optionLabel,
  questionText,
  showsWholeMoves,
} from "./move_options.js";
import { describeAnswers, inBookOrder, parseTyped, toNotation } from "./move_parser.js";
import {
  canPointAt,
  completeMove,
  EMPTY,
  isEmpty,
  isSelected,
  matchingMoves,
  nextOptions,
  pointAt,
  wordsOf,
} from "./partial_move.js";
import { CODE } from "./protocol.js";

/** @import { View } from "./protocol.js" */
/** @import { PartialMove } from "./partial_move.js" */
/** @typedef {"pressed" | "clicked" | "typed" | "pointed"} InputKind How the player chose last. */
/**
 * `play(move)` sends a move and returns its number, or null if it could not be sent. `onChange` is
 * called when what is chosen has changed.
 *
 * @typedef {{
 *   play: (move: string) => number | null, onChange: () => void,
 *   withNames: (text: string) => string,
 * }} Callbacks
 */

const DOUBLE_CLICK = 500;
const RANGE = /(\(\d+-\d+\):?)/;

export class MoveForm {
  /** @type {number | null} The number of the message that the server has not answered yet. */
  pending = null;
  /** @type {InputKind | null} */
  lastInput = null;
  input = el("input", {
    ...{ type: "text", name: "move", autocomplete: "off", autocapitalize: "off" },
    ...{ spellcheck: "false", "data-testid": "typed-move" },
  });
  /** @type {string[]} */
  #legal = [];
  /** @type {View | undefined} */
  #view;
  /** @type {PartialMove} */
  #partial = EMPTY;
  #sent = "";
  #askedAt = 0;
  #question = el("p", { class: "question", id: "question" });
  #options = el("div", {
    ...{ class: "options", role: "group", tabindex: "-1", "aria-labelledby": "question" },
    "data-testid": "options",
  });
  #refusal = el("p", { class: "refusal", role: "alert", "data-testid": "refusal" });
  #again = button("Choose again", () => this.#reset(), {
    ...{ class: "quiet", "data-testid": "choose-again" },
  });
  #style = button("", () => this.#changeStyle(), {
    ...{ class: "quiet", "data-testid": "move-style" },
  });

  /** @param {Callbacks} callbacks */
  constructor({ play, onChange, withNames }) {
    this.play = play;
    this.onChange = onChange;
    this.withNames = withNames;
    const label = el("label", {}, "Or type your move", this.input);
    const typed = el("form", { class: "typed" }, label, el("button", { type: "submit" }, "Play"));
    typed.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#type(this.input.value);
    });
    this.box = el(
      "section",
      { class: "sheet move-form", "aria-label": "Your move", hidden: true },
      this.#question,
      this.#options,
      el("div", { class: "row" }, this.#again, this.#style),
      typed,
      this.#refusal,
    );
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !isEmpty(this.#partial)) this.#reset();
    });
  }

  /**
   * Ask for a move, or hide if there is none to make.
   *
   * @param {View} view
   * @param {string[]} legal
   */
  ask(view, legal) {
    this.#view = view;
    this.#legal = legal;
    this.pending = null;
    this.#askedAt = performance.now();
    this.#partial = EMPTY;
    this.input.value = "";
    this.#refusal.textContent = "";
    this.box.hidden = !legal.length;
    this.#render();
  }

  /** @param {string} piece */
  canPointAt(piece) {
    return !this.box.hidden && !this.pending && canPointAt(this.#legal, piece);
  }

  /** @param {string} piece */
  isSelected(piece) {
    return isSelected(this.#legal, this.#partial, piece);
  }

  /**
   * @param {string} piece
   * @param {UIEvent} event
   */
  point(piece, event) {
    if (this.pending || this.#isEcho(event)) return;
    this.lastInput = event.detail ? "clicked" : "pointed";
    const next = pointAt(this.#legal, this.#partial, piece);
    if (next) this.#choose(next);
  }

  /**
   * A refused move leaves everything as it was before it.
   *
   * @param {string} why
   * @param {string} [code]
   */
  refuse(why, code = "") {
    this.pending = null;
    if (completeMove(this.#legal, this.#partial)) this.#partial = EMPTY;
    this.#render();
    const isTyped = this.lastInput === "typed";
    const isUnknown = isTyped && code === CODE.invalid;
    const reason = isUnknown ? "That is not an answer here." : this.withNames(why);
    const answers =
      isTyped && this.#legal.length
        ? ` You can answer: ${describeAnswers(this.#legal, this.#partial, this.#view?.aliases)}.`
        : "";
    this.#refusal.textContent = `${reason}${answers}`;
    this.onChange();
  }

  /**
   * Only a player who pressed a button before is put on one: a stray key makes no move for others.
   *
   * @param {InputKind | null} [kind]
   */
  focus(kind = this.lastInput) {
    const first = kind === "pressed" ? this.#options.querySelector("button") : null;
    const target = kind === "typed" ? this.input : (first ?? this.#options);
    target.focus({ preventScroll: true });
  }

  /**
   * The second half of a double click does not answer the question that came in between.
   *
   * @param {UIEvent} event
   */
  #isEcho(event) {
    return event.detail > 1 && performance.now() - this.#askedAt < DOUBLE_CLICK;
  }

  /** @param {string} text */
  #type(text) {
    if (this.pending) return;
    this.lastInput = "typed";
    const aliases = this.#view?.aliases;
    const next = parseTyped(this.#legal, this.#partial, text, aliases);
    this.input.value = "";
    if (next) this.#choose(next);
    // The server says why a move is not possible, in the words of the book.
    else if (text.trim()) this.#send(toNotation(this.#legal, this.#partial, text, aliases));
  }

  /** @param {PartialMove} next */
  #choose(next) {
    this.#askedAt = performance.now();
    this.#refusal.textContent = "";
    this.#partial = next;
    const move = completeMove(this.#legal, next);
    if (move) {
      this.#send(move);
      return;
    }
    this.#render();
    this.onChange();
  }

  /** @param {string} move */
  #send(move) {
    this.pending = this.play(move);
    this.#sent = move;
    if (!this.pending) this.refuse("You are not connected. The move was not made.");
    else this.#render();
    this.onChange();
  }

  #reset() {
    this.#partial = EMPTY;
    this.#refusal.textContent = "";
    this.#render();
    this.onChange();
    this.focus();
  }

  #changeStyle() {
    keepWholeMoves(!showsWholeMoves(this.#legal));
    this.#render();
  }

  #render() {
    const isPending = this.pending !== null;
    const isWhole = showsWholeMoves(this.#legal);
    const { words } = nextOptions(this.#legal, this.#partial);
    const text = this.withNames(questionText(this.#view, words));
    const parts = isPending ? [`Playing ${this.#sent}…`] : text.split(RANGE);
    const shown = parts.map((part, at) =>
      at % 2 ? el("span", { class: "unbroken" }, part) : part,
    );
    this.#question.replaceChildren(...shown);
    const buttons = isWhole ? this.#moveButtons() : this.#wordButtons();
    this.#options.replaceChildren(...(isPending ? [] : buttons));
    this.#again.hidden = isEmpty(this.#partial) || isPending;
    this.#style.textContent = isWhole ? "One word at a time" : "Show whole moves";
    this.#style.hidden = isPending || !this.#legal.some((move) => move.includes(" "));
    this.box.setAttribute("aria-busy", String(isPending));
  }

  #moveButtons() {
    return matchingMoves(this.#legal, this.#partial).map((move) => {
      const words = wordsOf(move);
      return this.#button(moveLabel(this.#partial, words, this.#view?.aliases), words, move);
    });
  }

  #wordButtons() {
    const aliases = this.#view?.aliases;
    const { words, options } = nextOptions(this.#legal, this.#partial);
    return inBookOrder(options, aliases).map((option) => {
      const label = optionLabel(this.#partial, option, words, aliases);
      return this.#button(label, option.words, option.move);
    });
  }

  /**
   * @param {{ text: string, answer?: string }} label
   * @param {string[]} words
   * @param {string | null} move
   */
  #button({ text, answer }, words, move) {
    const click = (/** @type {MouseEvent} */ event) => {
      if (this.#isEcho(event)) return;
      this.lastInput = event.detail ? "clicked" : "pressed";
      this.#choose({ words, pieces: this.#partial.pieces });
      if (!this.pending) this.focus();
    };
    const label = answer ? [el("span", { class: "answer" }, `${answer}:`), " ", text] : text;
    return button(label, click, { "data-word": words[words.length - 1], "data-move": move });
  }
}
