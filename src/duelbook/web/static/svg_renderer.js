// Draws a picture again and again with the same elements. What has the same key changes in place,
// so that style sheets can animate the change.

import { svg } from "./dom.js";
import { fitText } from "./fit_text.js";

/** @import { Seat } from "./protocol.js" */
/**
 * Attributes of an element. `at` is its place: `[x, y, degrees]`. An element of the class `piece`
 * comes and goes visibly.
 *
 * @typedef {Record<string, unknown> & { at?: number[], class?: string }} Attributes
 */
/**
 * `canSelect` and `isSelected` ask about the words that a thing says; `withNames` puts the
 * players' names into a label.
 *
 * @typedef {{
 *   canSelect: (says: string) => boolean, isSelected: (says: string) => boolean,
 *   withNames: (text: string) => string,
 * }} Callbacks
 */

const LEAVING = 450;

export class SvgRenderer {
  /** @type {Map<string, SVGElement>} */
  #nodes = new Map();
  /** @type {Set<string>} */
  #drawn = new Set();
  /** @type {Map<SVGElement, SVGElement>} The last child drawn into each parent. */
  #lastChild = new Map();
  /** @type {WeakMap<SVGElement, string>} */
  #fitted = new WeakMap();
  #stillness = matchMedia("(prefers-reduced-motion: reduce)");

  /**
   * @param {Callbacks} callbacks
   * @param {{ hatch: string, shine: string }} ids of the pattern and the gradient for fills
   */
  constructor({ canSelect, isSelected, withNames }, ids) {
    this.canSelect = canSelect;
    this.isSelected = isSelected;
    this.withNames = withNames;
    this.ids = ids;
    /** Whether the next frame appears at once, without animation. */
    this.isFirst = true;
  }

  /**
   * Draw by calling `draw`, then remove what was not drawn this time.
   *
   * @param {() => void} draw
   */
  frame(draw) {
    this.#drawn = new Set();
    this.#lastChild = new Map();
    draw();
    for (const [key, node] of this.#nodes) {
      if (this.#drawn.has(key)) continue;
      this.#nodes.delete(key);
      if (node.classList.contains("piece") && !this.#stillness.matches && !this.isFirst) {
        node.classList.add("leaving");
        setTimeout(() => node.remove(), LEAVING);
      } else node.remove();
    }
    this.isFirst = false;
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
    const found = this.#nodes.get(key);
    const node = found ?? svg(tag);
    this.#nodes.set(key, node);
    const isPiece = /\bpiece\b/.test(attributes.class ?? "");
    const isComing = found ? found.classList.contains("coming") : !this.isFirst && isPiece;
    if (isComing) attributes.class += " coming";
    this.#drawn.add(key);
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
   * Words, made to fit into `room` pixels.
   *
   * @param {SVGElement} parent
   * @param {string} key
   * @param {[number, number]} place
   * @param {string | number} words
   * @param {string} [kind]
   * @param {{ anchor?: string, room?: number, size?: number }} [options]
   */
  text(parent, key, [x, y], words, kind = "", { anchor = "middle", room = Infinity, size } = {}) {
    const attributes = { x, y, class: `word ${kind}`, "text-anchor": anchor };
    const node = this.draw(parent, key, "text", attributes);
    const wanted = `${kind} ${room} ${words}`;
    if (this.#fitted.get(node) !== wanted) fitText(node, String(words), room);
    this.#fitted.set(node, wanted);
    if (size) node.style.fontSize = `${size}px`;
    return node;
  }

  /**
   * How wide a text is, in pixels.
   *
   * @param {SVGElement} parent
   * @param {string} words
   * @param {string} kind
   */
  textWidth(parent, words, kind) {
    const node = parent.appendChild(svg("text", { class: `word ${kind}` }, words));
    const width = node.getComputedTextLength();
    node.remove();
    return width;
  }

  /**
   * A group that can be pointed at, where its words belong to a legal move.
   *
   * @param {SVGElement} parent
   * @param {string} key
   * @param {string | undefined} says
   * @param {Attributes} [attributes]
   */
  target(parent, key, says, attributes = {}) {
    const words = says && this.canSelect(says) ? says : null;
    const isSelected = words !== null && this.isSelected(words);
    const kinds = [attributes.class, "target", words && "selectable", isSelected && "selected"];
    return this.group(parent, key, {
      ...attributes,
      class: kinds.filter(Boolean).join(" "),
      role: words && "button",
      tabindex: words && "-1",
      "aria-label": words,
      "aria-pressed": words && String(isSelected),
      "data-says": words,
    });
  }

  /**
   * A shape in a seat's colour. The second seat's is hatched too, for those who see no colours.
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
   * The mark of a seat: a disc or a diamond.
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
    this.draw(parent, key, "path", { d, at, class: `sign seat${seat} ${kind}` });
  }

  /**
   * The thin line around a picture.
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

/** @param {number} r */
export function disc(r) {
  return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

/** @param {number} r */
function diamond(r) {
  return `M0 ${-r}L${r} 0L0 ${r}L${-r} 0z`;
}
