// The form for a move: by buttons, one word at a time or whole, or by typing it.

import { ChoiceButtons } from "./choice_buttons.js";
import { button, el } from "./dom.js";
import {
  moveLabel,
  optionLabel,
  questionParts,
  showsWholeMoves,
  storeWholeMoves,
} from "./move_options.js";
import { describeAnswers, inBookOrder, parseTyped, toNotation } from "./move_parser.js";
import {
  amountsAfter,
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
import { GAME } from "./strings.js";

/** @import { View } from "./protocol.js" */
/** @import { Choice } from "./choice_places.js" */
/** @import { PartialMove } from "./partial_move.js" */
/**
 * How the player chose last: `keyed` by a key that names a choice, `pressed` by Enter on a button.
 *
 * @typedef {"pressed" | "clicked" | "typed" | "pointed" | "keyed"} InputKind
 */
/**
 * `play(move)` sends a move and returns its number, or null if it could not be sent. `onChange` is
 * called when the choice has changed.
 *
 * @typedef {{
 *   play: (move: string) => number | null, onChange: () => void,
 * }} Callbacks
 */

const DOUBLE_CLICK = 500;

export class MoveForm {
  /** @type {number | null} The number of the message that the server has not answered yet. */
  pending = null;
  /** @type {InputKind | null} */
  lastInput = null;
  input = el("input", {
    ...{ type: "text", name: "move", autocomplete: "off", autocapitalize: "off" },
    ...{ spellcheck: "false", "data-testid": "typed-move" },
  });
  /** Why the last move was refused. */
  refusal = el("p", { class: "refusal", role: "alert", "data-testid": "refusal" });
  /** Chooses between whole moves and words. */
  style = button("", () => this.#changeStyle(), {
    ...{ class: "quiet", hidden: true, "data-testid": "move-style" },
  });
  /** @type {string[]} */
  #legal = [];
  /** @type {View | undefined} */
  #view;
  /** @type {PartialMove} */
  #partial = EMPTY;
  #sent = "";
  #askedAt = 0;
  #hadManyMoves = false;
  #question = el("p", { class: "question", id: "question" });
  #options = new ChoiceButtons((choice, event) => this.#press(choice, event));
  #again = button("‹", () => this.#reset(), {
    ...{ class: "back", "aria-label": GAME.back, title: GAME.back, "data-testid": "choose-again" },
  });

  /** @param {Callbacks} callbacks */
  constructor({ play, onChange }) {
    this.play = play;
    this.onChange = onChange;
    const label = el("label", {}, GAME.typed, this.input);
    /** For those who would rather type. */
    this.typed = el("form", { class: "typed" }, label, el("button", { type: "submit" }, GAME.play));
    this.typed.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#type(this.input.value);
    });
    const head = el("div", { class: "question-row" }, this.#question, this.#again);
    this.box = el(
      "section",
      { class: "move-form", "aria-label": GAME.yourMove, hidden: true },
      head,
      this.#options.box,
    );
  }

  /** Whether there is a move to make. */
  get isAsking() {
    return this.#legal.length > 0;
  }

  /**
   * Ask for a move, or wait if there is none to make.
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
    this.#hadManyMoves ||= !showsWholeMoves(legal);
    this.input.value = "";
    this.refusal.textContent = "";
    this.#render();
  }

  /** The choices that are shown, each at its place. */
  get shown() {
    return this.#options.shown;
  }

  /** @param {Choice} choice */
  chooseByKey({ words }) {
    this.lastInput = "keyed";
    this.#choose({ words, pieces: this.#partial.pieces });
    this.focus();
  }

  /** Clear the choice. Returns false if nothing was chosen. */
  back() {
    if (isEmpty(this.#partial) || this.pending) return false;
    this.#reset();
    return true;
  }

  /**
   * Say something instead of the question.
   *
   * @param {string} text nothing to ask the question again
   */
  say(text) {
    this.#question.replaceChildren(...(text ? [text] : this.#questionParts(this.pending !== null)));
  }

  /** Leave no trace of a choice that another player at this device must not see. */
  forget() {
    this.#sent = "";
    this.#options.clear();
  }

  /** @param {string} piece */
  canPointAt(piece) {
    return !this.pending && canPointAt(this.#legal, piece);
  }

  /** @param {string} piece */
  isSelected(piece) {
    return isSelected(this.#legal, this.#partial, piece);
  }

  /** @param {string[]} words */
  amountsAfter(words) {
    return amountsAfter(this.#legal, this.#partial, words);
  }

  /** The requested amount, after the first choice. */
  get amount() {
    if (isEmpty(this.#partial) || !this.isAsking || this.pending) return null;
    const { words } = nextOptions(this.#legal, this.#partial);
    const found = this.amountsAfter([words.join(" ")]);
    return found.numbers.length ? found : null;
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
    const reason = isUnknown ? GAME.noAnswer : why;
    const answers =
      isTyped && this.#legal.length
        ? ` ${GAME.canAnswer(describeAnswers(this.#legal, this.#partial, this.#view?.aliases))}`
        : "";
    this.refusal.textContent = `${reason}${answers}`;
    this.onChange();
  }

  /**
   * Only a player who pressed a button before is put on one: a stray key makes no move for others.
   *
   * @param {InputKind | null} [kind]
   */
  focus(kind = this.lastInput) {
    const first = kind === "pressed" ? this.#options.first : null;
    const isTyping = kind === "typed" && this.input.checkVisibility();
    const target = isTyping ? this.input : (first ?? this.#options.box);
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
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
    this.refusal.textContent = "";
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
    if (!this.pending)
      this.refuse(""); // the line about the connection says why
    else this.#render();
    this.onChange();
  }

  #reset() {
    this.#partial = EMPTY;
    this.refusal.textContent = "";
    this.#render();
    this.onChange();
    this.focus();
  }

  #changeStyle() {
    storeWholeMoves(!this.#isWhole());
    this.#hadManyMoves = !showsWholeMoves(this.#legal);
    this.#render();
  }

  /** A game that had many moves once is played word by word to its end. */
  #isWhole() {
    return !this.#hadManyMoves && showsWholeMoves(this.#legal);
  }

  #render() {
    const isPending = this.pending !== null;
    const isOpen = this.isAsking && !isPending;
    this.#question.replaceChildren(...this.#questionParts(isPending));
    if (isOpen) this.#options.show(this.#placesKey(), this.#choices());
    else this.#options.disable();
    this.#again.disabled = isEmpty(this.#partial) || !isOpen;
    this.style.textContent = this.#isWhole() ? GAME.oneWord : GAME.wholeMoves;
    this.style.disabled = !isOpen;
    this.style.hidden &&= !this.#legal.some((move) => move.includes(" "));
    this.box.setAttribute("aria-busy", String(isPending));
  }

  /** @param {boolean} isPending */
  #questionParts(isPending) {
    if (isPending) return [GAME.playing(this.#sent)];
    if (!this.isAsking) return [];
    return questionParts(this.#view, nextOptions(this.#legal, this.#partial).words);
  }

  #placesKey() {
    const { words } = nextOptions(this.#legal, this.#partial);
    const style = this.#isWhole() ? "whole" : this.#partial.pieces.length ? "pointed" : "words";
    return [style, ...words].join(" ");
  }

  /** @returns {Choice[]} */
  #choices() {
    const aliases = this.#view?.aliases;
    if (this.#isWhole()) {
      return matchingMoves(this.#legal, this.#partial).map((move) => {
        const words = wordsOf(move);
        return { label: moveLabel(this.#partial, words, aliases), words, move };
      });
    }
    const { words: before, options } = nextOptions(this.#legal, this.#partial);
    return inBookOrder(options, aliases).map((option) => {
      const label = optionLabel(this.#partial, option, before, aliases);
      return { label, words: option.words, move: option.move };
    });
  }

  /**
   * @param {Choice} choice
   * @param {MouseEvent} event
   */
  #press({ words }, event) {
    if (this.#isEcho(event)) return;
    this.lastInput = event.detail ? "clicked" : "pressed";
    this.#choose({ words, pieces: this.#partial.pieces });
    if (!this.pending) this.focus();
  }
}
