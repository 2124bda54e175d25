// Functions that create elements. A text never becomes markup.

/** @import { Mover } from "./protocol.js" */

const SVG = "http://www.w3.org/2000/svg";
const DIE = "M2 2h12v12H2zm2 2v2h2V4zm6 6v2h2v-2zM7 7v2h2V7z";
const MARKS = [
  () => svg("circle", { cx: 8, cy: 8, r: 6 }),
  () => svg("path", { d: "M8 1l7 7-7 7-7-7z" }),
  () => svg("path", { d: DIE, "fill-rule": "evenodd" }),
];

/** @typedef {Node | string | number | boolean | null | undefined | Child[]} Child */
/** @typedef {{ (event: any): unknown }} Listener */
/** @typedef {Record<string, string | number | boolean | null | undefined | Listener>} Props */

/**
 * Create an HTML element. A property that is a function becomes a listener: `onclick` for `click`.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {Child[]} children
 */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * Create an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {Child[]} children
 */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/**
 * @template {Element} Node
 * @param {Node} node
 * @param {Props} props
 * @param {Child[]} children
 */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...withoutEmpty(children));
  return node;
}

/**
 * Return the children that are not empty.
 *
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function withoutEmpty(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return withoutEmpty(child);
    if (typeof child === "number") return [String(child)];
    return child && child !== true ? [child] : [];
  });
}

/**
 * @param {Child} text
 * @param {Listener} onclick
 * @param {Props} [props]
 */
export function button(text, onclick, props = {}) {
  return el("button", { type: "button", onclick, ...props }, text);
}

/**
 * Return the mark of a mover, which does not depend on colours: a disc for the first seat, a
 * diamond for the second, a die for chance.
 *
 * @param {Mover} seat
 */
export function seatMark(seat) {
  const shape = MARKS[seat]();
  const props = { class: `seat-icon seat${seat}`, viewBox: "0 0 16 16", "aria-hidden": "true" };
  return svg("svg", props, shape);
}

/**
 * Replace the children of a box, and restore the focus to the element with the same `data-key`.
 * Return false if the focus was in the box and is lost.
 *
 * @param {Element} box
 * @param {Child[]} children
 */
export function refill(box, ...children) {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && box.contains(active) ? active : null;
  box.replaceChildren(...withoutEmpty(children));
  if (!focused) return true;
  const key = focused.dataset.key;
  const replacement = key && box.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!(replacement instanceof HTMLElement)) return false;
  replacement.focus({ preventScroll: true });
  return document.activeElement === replacement;
}

/**
 * Return the message of an error.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
