// The form for a move: buttons for words or whole moves, and a text field.

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
 * The last kind of input: `keyed` is a key that names a choice, `pressed` is Enter on a button.
 *
 * @typedef {"pressed" | "clicked" | "typed" | "pointed" | "keyed"} InputKind
 */
/**
 * `play(move)` sends a move and returns its number, or null if the page is offline. `onChange` is
 * called after every change of the choice.
 *
 * @typedef {{
 *   play: (move: string) => number | null, onChange: () => void,
 * }} Callbacks
 */

const DOUBLE_CLICK_MS = 500;

export class MoveForm {
  /** @type {number | null} The number of the move that the server has not answered yet. */
  pending = null;
  /** @type {InputKind | null} */
  lastInput = null;
  input = el("input", {
    ...{ type: "text", name: "move", autocomplete: "off", autocapitalize: "off" },
    ...{ spellcheck: "false", "data-testid": "typed-move" },
  });
  /** The reason why the last move was refused. */
  refusal = el("p", { class: "refusal", role: "alert", "data-testid": "refusal" });
  /** The button that switches between whole moves and single words. */
  styleButton = button("", () => this.#changeStyle(), {
    ...{ class: "subtle", hidden: true, "data-testid": "move-style" },
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
  #back = button("‹", () => this.#reset(), {
    ...{ class: "back-button", "aria-label": GAME.back, title: GAME.back },
    "data-testid": "choose-again",
  });

  /** @param {Callbacks} callbacks */
  constructor({ play, onChange }) {
    this.play = play;
    this.onChange = onChange;
    const label = el("label", {}, GAME.typed, this.input);
    const submit = el("button", { type: "submit" }, GAME.play);
    /** The text field for moves. */
    this.typedForm = el("form", { class: "typed-form" }, label, submit);
    this.typedForm.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#type(this.input.value);
    });
    const head = el("div", { class: "question-row" }, this.#question, this.#back);
    this.box = el(
      "section",
      { class: "move-form", "aria-label": GAME.yourMove, hidden: true },
      head,
      this.#options.box,
    );
  }

  /** True if the player can make a move. */
  get isAsking() {
    return this.#legal.length > 0;
  }

  /**
   * Ask for a move, or wait if there are no legal moves.
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

  /** The visible choices, in the order of their places. */
  get shown() {
    return this.#options.shown;
  }

  /** @param {Choice} choice */
  chooseByKey({ words }) {
    this.lastInput = "keyed";
    this.#choose({ words, pieces: this.#partial.pieces });
    this.focus();
  }

  /** Clear the choice, and return false if it was empty. */
  back() {
    if (isEmpty(this.#partial) || this.pending) return false;
    this.#reset();
    return true;
  }

  /**
   * Show a message in place of the question.
   *
   * @param {string} text empty to show the question again
   */
  showMessage(text) {
    this.#question.replaceChildren(...(text ? [text] : this.#questionParts(this.pending !== null)));
  }

  /** Remove a hidden choice from the page before the second player at this device sees it. */
  clearHiddenChoice() {
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
    const amounts = this.amountsAfter([words.join(" ")]);
    return amounts.numbers.length ? amounts : null;
  }

  /**
   * @param {string} piece
   * @param {UIEvent} event
   */
  point(piece, event) {
    if (this.pending || this.#isDoubleClick(event)) return;
    this.lastInput = event.detail ? "clicked" : "pointed";
    const next = pointAt(this.#legal, this.#partial, piece);
    if (next) this.#choose(next);
  }

  /**
   * Show why a move was refused, and undo it.
   *
   * @param {string} why
   * @param {string} [code]
   */
  refuse(why, code = "") {
    this.pending = null;
    if (completeMove(this.#legal, this.#partial)) this.#partial = EMPTY;
    this.#render();
    const isTyped = this.lastInput === "typed";
    const reason = isTyped && code === CODE.invalid ? GAME.noAnswer : why;
    const answers =
      isTyped && this.#legal.length
        ? ` ${GAME.canAnswer(describeAnswers(this.#legal, this.#partial, this.#view?.aliases))}`
        : "";
    this.refusal.textContent = `${reason}${answers}`;
    this.onChange();
  }

  /**
   * Focus the form. Only a player who pressed a button before gets the focus on a button, so that a
   * stray key makes no move.
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
   * Return whether an event is the second half of a double click, which must not answer a new
   * question.
   *
   * @param {UIEvent} event
   */
  #isDoubleClick(event) {
    return event.detail > 1 && performance.now() - this.#askedAt < DOUBLE_CLICK_MS;
  }

  /** @param {string} text */
  #type(text) {
    if (this.pending) return;
    this.lastInput = "typed";
    const aliases = this.#view?.aliases;
    const next = parseTyped(this.#legal, this.#partial, text, aliases);
    this.input.value = "";
    if (next) this.#choose(next);
    // The server explains an illegal move in the words of the book.
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

  /** Return whether to show whole moves. After many legal moves, a game continues word by word. */
  #isWhole() {
    return !this.#hadManyMoves && showsWholeMoves(this.#legal);
  }

  #render() {
    const isPending = this.pending !== null;
    const isOpen = this.isAsking && !isPending;
    this.#question.replaceChildren(...this.#questionParts(isPending));
    if (isOpen) this.#options.show(this.#placesKey(), this.#choices());
    else this.#options.disable();
    this.#back.disabled = isEmpty(this.#partial) || !isOpen;
    this.styleButton.textContent = this.#isWhole() ? GAME.oneWord : GAME.wholeMoves;
    this.styleButton.disabled = !isOpen;
    this.styleButton.hidden &&= !this.#legal.some((move) => move.includes(" "));
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
    if (this.#isDoubleClick(event)) return;
    this.lastInput = event.detail ? "clicked" : "pressed";
    this.#choose({ words, pieces: this.#partial.pieces });
    if (!this.pending) this.focus();
  }
}
