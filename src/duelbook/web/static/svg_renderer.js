// Draws the frames of a picture with the same elements. An element with the same key changes in
// place, so that style sheets can animate the change.

import { svg } from "./dom.js";
import { fitText } from "./fit_text.js";

/** @import { PlaceState } from "./picture.js" */
/** @import { Gauge, Seat, Stack } from "./protocol.js" */
/** @import { Amounts } from "./partial_move.js" */
/**
 * Attributes of an element. `at` is its place: `[x, y, degrees]`. An element of the class `piece`
 * appears and disappears with an animation.
 *
 * @typedef {Record<string, unknown> & { at?: number[], class?: string }} Attributes
 */
/**
 * `canSelect`, `isSelected` and `isHinted` receive the words of a target. `amountsAfter` returns
 * the numbers that may follow one of some words.
 *
 * @typedef {{
 *   canSelect: (says: string) => boolean, isSelected: (says: string) => boolean,
 *   isHinted: (says: string) => boolean, amountsAfter: (words: string[]) => Amounts,
 * }} Callbacks
 */

const REMOVAL_DELAY = 3000;
const PIECE_DELAY = 90; // between two pieces
const MAX_TOTAL_DELAY = 500; // of all pieces

export class SvgRenderer {
  /** @type {Map<string, SVGElement>} */
  #nodes = new Map();
  /** @type {Set<string>} */
  #drawnKeys = new Set();
  /** @type {Map<SVGElement, SVGElement>} The last child drawn into each parent. */
  #lastChild = new Map();
  /** @type {WeakMap<SVGElement, string>} */
  #fitted = new WeakMap();
  /** @type {SVGElement[]} The pieces that appear in this frame. */
  #appearing = [];
  #reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

  /**
   * @param {Callbacks} callbacks
   * @param {{ hatch: string, shine: string }} ids of the pattern and the gradient for fills
   */
  constructor({ canSelect, isSelected, isHinted, amountsAfter }, ids) {
    this.canSelect = canSelect;
    this.isSelected = isSelected;
    this.isHinted = isHinted;
    this.amountsAfter = amountsAfter;
    this.ids = ids;
    /** Whether the player can choose moves in the picture. */
    this.isInteractive = false;
    /** @type {Set<string>} The words whose amount is chosen at another shape. */
    this.chosenElsewhere = new Set();
    /** Whether the next frame appears at once, without animation. */
    this.isFirst = true;
  }

  /** True if nothing may move. */
  get isStill() {
    return this.#reducedMotion.matches;
  }

  /**
   * Draw by calling `draw`, then remove elements that were not drawn this time.
   *
   * @param {() => void} draw
   */
  frame(draw) {
    this.#drawnKeys = new Set();
    this.#lastChild = new Map();
    this.#appearing = [];
    draw();
    staggerAnimations(this.#appearing);
    this.#remove([...this.#nodes].filter(([key]) => !this.#drawnKeys.has(key)));
    for (const node of this.#nodes.values()) addVisibleText(node);
    this.isFirst = false;
  }

  /**
   * Remove old elements. Pieces disappear with an animation; their parents stay until it ends.
   *
   * @param {[string, SVGElement][]} entries parents before their children
   */
  #remove(entries) {
    const isMoving = !this.isStill && !this.isFirst;
    /** @type {SVGElement[]} */
    const leaving = [];
    for (const [key, node] of entries) {
      this.#nodes.delete(key);
      if (isMoving && node.classList.contains("piece"))
        leaving.unshift(node); // the last piece first
      else if (!leaving.some((piece) => piece.contains(node))) {
        if (!isMoving || !node.querySelector(".piece")) node.remove();
        else setTimeout(() => node.remove(), REMOVAL_DELAY);
      }
    }
    for (const piece of leaving) {
      piece.classList.add("disappearing");
      piece.addEventListener("animationend", ({ target }) => target === piece && piece.remove());
      setTimeout(() => piece.remove(), REMOVAL_DELAY); // also without an animation
    }
    staggerAnimations(leaving);
  }

  /**
   * Draw one element.
   *
   * @template {keyof SVGElementTagNameMap} Tag
   * @param {SVGElement} parent
   * @param {string} key
   * @param {Tag} tag
   * @param {Attributes} [attributes]
   */
  draw(parent, key, tag, { at, ...attributes } = {}) {
    const existing = this.#nodes.get(key);
    const node = existing ?? svg(tag);
    this.#nodes.set(key, node);
    const isPiece = /\bpiece\b/.test(attributes.class ?? "");
    const isAppearing = existing
      ? existing.classList.contains("appearing")
      : !this.isFirst && isPiece;
    if (isAppearing) attributes.class += " appearing";
    if (isAppearing && !existing) this.#appearing.push(node);
    this.#drawnKeys.add(key);
    const before = this.#lastChild.get(parent);
    const follows = before ? before.nextSibling : parent.firstChild;
    if (node.parentNode !== parent) parent.insertBefore(node, follows);
    this.#lastChild.set(parent, node);
    for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
    if (at) {
      const [x, y, turn = 0] = at;
      node.style.transform = `translate(${x}px, ${y}px) rotate(${turn}deg)`;
    }
    return /** @type {SVGElementTagNameMap[Tag]} */ (node);
  }

  /**
   * @param {SVGElement} parent
   * @param {string} key
   * @param {Attributes} [attributes]
   */
  group(parent, key, attributes) {
    return this.draw(parent, key, "g", attributes);
  }

  /**
   * Draw words that fit into `room` pixels.
   *
   * @param {SVGElement} parent
   * @param {string} key
   * @param {[number, number]} place
   * @param {string | number} words
   * @param {string} [kind]
   * @param {{ anchor?: string, room?: number, size?: number }} [options]
   */
  text(parent, key, [x, y], words, kind = "", { anchor = "middle", room = Infinity, size } = {}) {
    const attributes = { x, y, class: `picture-text ${kind}`, "text-anchor": anchor };
    const node = this.draw(parent, key, "text", attributes);
    const content = `${kind} ${room} ${words}`;
    if (this.#fitted.get(node) !== content) fitText(node, String(words), room);
    this.#fitted.set(node, content);
    if (size) node.style.fontSize = `${size}px`;
    return node;
  }

  /**
   * Return the amounts that the player can choose at a shape.
   *
   * @param {Gauge | Stack} shape
   */
  amountsOf({ says = "", amounts = [] }) {
    const ownWords = says && !this.chosenElsewhere.has(says) ? [says] : [];
    return this.amountsAfter([...ownWords, ...amounts]);
  }

  /**
   * Draw a group that the player can choose if its words belong to a legal move. `isLast` marks the
   * last move; effects find the group by its `place`. `name` is the accessible name, and `does` the
   * visible label.
   *
   * @param {SVGElement} parent
   * @param {string} key
   * @param {string | undefined} says
   * @param {Attributes & Partial<PlaceState> & { name?: string, does?: string }} [attributes]
   */
  target(parent, key, says, { isLast, place, name, does, ...attributes } = {}) {
    const words = says && this.canSelect(says) ? says : null;
    const isSelected = words !== null && this.isSelected(words);
    const isHinted = words !== null && this.isHinted(words);
    const states = [words && "selectable", isSelected && "selected", isHinted && "hinted"];
    const kinds = [attributes.class, "target", ...states, isLast && "last", does && "labelled"];
    return this.group(parent, key, {
      ...attributes,
      class: kinds.filter(Boolean).join(" "),
      role: words && "button",
      tabindex: words && "-1",
      "aria-label": words && ([name, does].filter(Boolean).join(": ") || words),
      "aria-pressed": words && String(isSelected),
      "data-says": words,
      "data-place": place,
    });
  }

  /**
   * Draw a shape in a seat's colour. The second seat's shapes are also hatched, for people who do
   * not see colours.
   *
   * @param {SVGElement} parent
   * @param {string} key
   * @param {keyof SVGElementTagNameMap} tag
   * @param {Seat | undefined} seat
   * @param {Attributes} attributes
   */
  seatShape(parent, key, tag, seat, { class: kind = "", ...attributes }) {
    const owner = seat === undefined ? "nobody" : `seat${seat}`;
    this.draw(parent, key, tag, { ...attributes, class: `solid ${owner} ${kind}` });
    if (seat !== 1) return;
    const hatched = { ...attributes, class: "hatch", fill: `url(#${this.ids.hatch})` };
    this.draw(parent, `${key}/hatch`, tag, hatched);
  }

  /**
   * Draw the mark of a seat: a disc or a diamond.
   *
   * @param {SVGElement} parent
   * @param {string} key
   * @param {Seat | undefined} seat
   * @param {[number, number]} at
   * @param {number} size
   * @param {string} [kind]
   */
  seatMark(parent, key, seat, at, size, kind = "") {
    if (seat === undefined) return;
    const d = seat === 0 ? disc(size) : diamond(size * 1.2);
    this.draw(parent, key, "path", { d, at, class: `seat-mark seat${seat} ${kind}` });
  }

  /**
   * Draw the thin line around a picture.
   *
   * @param {SVGElement} parent
   * @param {string} key
   * @param {number} width
   * @param {number} height
   */
  frameLine(parent, key, width, height) {
    const size = { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 14 };
    this.draw(parent, key, "rect", { ...size, class: "frame" });
  }
}

/**
 * Add the visible text of a target to its accessible name, for people who use voice control.
 *
 * @param {SVGElement} node
 */
function addVisibleText(node) {
  const name = node.dataset.says && node.getAttribute("aria-label");
  if (!name) return;
  for (const text of node.querySelectorAll("text"))
    if (!text.textContent?.endsWith(" ")) text.append(" "); // between this text and the next
  const visible = node.textContent?.trim() ?? "";
  if (!name.includes(visible)) node.setAttribute("aria-label", `${name}: ${visible}`);
}

/**
 * @param {SVGElement} node
 * @param {string} name
 * @param {unknown} value
 */
function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    node.removeAttribute(name);
    return;
  }
  const text = String(typeof value === "number" ? Math.round(value * 100) / 100 : value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/**
 * @param {number} value
 * @param {number} min
 * @param {number} max
 */
export const clamp = (value, min, max) => Math.min(Math.max(value, min), max);

/** @param {SVGElement[]} pieces to animate one after the other */
function staggerAnimations(pieces) {
  const step = Math.min(PIECE_DELAY, MAX_TOTAL_DELAY / Math.max(pieces.length, 1));
  pieces.forEach((piece, at) => {
    piece.style.animationDelay = `${Math.round(at * step)}ms`;
  });
}

/** @param {number} r */
export function disc(r) {
  return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

/** @param {number} r */
function diamond(r) {
  return `M0 ${-r}L${r} 0L0 ${r}L${-r} 0z`;
}
