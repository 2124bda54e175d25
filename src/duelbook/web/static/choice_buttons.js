// The buttons of the choices, each in a fixed place.

import { ChoicePlaces, widthOf } from "./choice_places.js";
import { button, el } from "./dom.js";

/** @import { Choice } from "./choice_places.js" */
/** @import { PlacedChoice } from "./key_choices.js" */

const MAX_LARGE_BUTTONS = 6;

export class ChoiceButtons {
  box = el("div", {
    ...{ class: "move-options", role: "group", tabindex: "-1", "aria-labelledby": "question" },
    "data-testid": "options",
  });
  #places = new ChoicePlaces();
  /** @type {PlacedChoice[]} */
  #shown = [];

  /** @param {(choice: Choice, event: MouseEvent) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
  }

  /**
   * Show the choices. A disabled choice keeps its place.
   *
   * @param {string} question
   * @param {Choice[]} choices
   */
  show(question, choices) {
    const places = this.#places.arrange(question, choices);
    const width = widthOf(places.map(({ label }) => label));
    this.#shown = places.map((choice) => ({ choice, isOpen: choices.includes(choice) }));
    this.box.dataset.width = width;
    this.box.toggleAttribute("data-few", width !== "short" && places.length <= MAX_LARGE_BUTTONS);
    this.box.replaceChildren(
      ...this.#shown.map(({ choice, isOpen }) => this.#button(choice, isOpen)),
    );
  }

  /** The choices, in the order of their places. */
  get shown() {
    return this.#shown;
  }

  /** Disable all choices without moving them. */
  disable() {
    this.#shown = this.#shown.map(({ choice }) => ({ choice, isOpen: false }));
    for (const node of this.box.querySelectorAll("button")) node.disabled = true;
  }

  clear() {
    this.#shown = [];
    this.box.replaceChildren();
  }

  /** The first enabled button, or null. */
  get first() {
    return this.box.querySelector("button:enabled");
  }

  /**
   * @param {Choice} choice
   * @param {boolean} isOpen
   */
  #button(choice, isOpen) {
    const { label, words, move } = choice;
    const { text, answer, short } = label;
    const shown = short ?? text;
    const content = answer ? [el("span", { class: "answer" }, `${answer}:`), " ", shown] : shown;
    return button(content, (event) => this.onChoose(choice, event), {
      disabled: !isOpen,
      "aria-label": short ? text : null,
      "data-word": words[words.length - 1],
      "data-words": words.join(" "),
      "data-move": move,
    });
  }
}
