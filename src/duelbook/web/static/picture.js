// A scene as one picture: shapes of a kind are drawn together, one band below the other.

import { coins } from "./coins.js";
import { svg } from "./dom.js";
import { islands } from "./islands.js";
import { bars, boxes, letterBoard, piles, textLines } from "./plain_shapes.js";
import { planets } from "./planets.js";
import { SvgRenderer } from "./svg_renderer.js";
import { towers } from "./towers.js";
import { track } from "./track.js";

/** @import { Scene, Shape } from "./protocol.js" */
/** @import { Callbacks } from "./svg_renderer.js" */
/**
 * A shape with its place in the scene, which is the key of what is drawn for it.
 *
 * @template {Shape} S
 * @typedef {S & { key: number }} Keyed
 */
/**
 * Draws shapes as wide as it is told, and returns how high they are.
 *
 * @typedef {(
 *   renderer: SvgRenderer, parent: SVGElement, shapes: Keyed<any>[], width: number
 * ) => number} DrawBand
 */
/**
 * `onPoint(says, event)` is called when something is pointed at; without it the picture is only
 * looked at.
 *
 * @typedef {{ label: string, onPoint: (says: string, event: UIEvent) => void }} Pointing
 */

/** @type {{ draw: DrawBand, shape: Shape["shape"], forms?: string[] }[]} */
const KINDS = [
  { draw: islands, shape: "gauge", forms: ["island"] },
  { draw: islands, shape: "stack", forms: ["sea"] },
  { draw: towers, shape: "gauge", forms: ["tower"] },
  { draw: planets, shape: "slots", forms: ["planets", "ships"] },
  { draw: coins, shape: "stack", forms: ["coins", "envelope"] },
  { draw: track, shape: "track" },
  { draw: piles, shape: "stack" },
  { draw: bars, shape: "gauge" },
  { draw: boxes, shape: "slots" },
  { draw: letterBoard, shape: "board" },
  { draw: textLines, shape: "text" },
];
const GAP = 14;
const NARROWEST = 40;
/** @type {Record<string, number>} */
const ARROWS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
let pictures = 0;

export class Picture {
  #root = svg("svg", { class: "picture", focusable: "false" });
  #ground = svg("g");
  #drawnWidth = 0;
  /** @type {string | undefined} What the Tab key stops at. */
  #tabStop;
  /** @type {Scene | undefined} */
  #scene;

  /**
   * @param {HTMLElement} box
   * @param {Partial<Pointing & Callbacks>} [options]
   */
  constructor(box, { label = "", onPoint, ...callbacks } = {}) {
    pictures += 1;
    const ids = { hatch: `hatch-${pictures}`, shine: `shine-${pictures}` };
    const none = { canSelect: () => false, isSelected: () => false };
    const withNames = (/** @type {string} */ text) => text;
    this.box = box;
    this.renderer = new SvgRenderer({ ...none, withNames, ...callbacks }, ids);
    this.#root.append(fills(ids), this.#ground);
    if (onPoint) this.#listen(label, onPoint);
    else this.#root.setAttribute("aria-hidden", "true");
    box.append(this.#root);
    const redraw = () => this.#width() !== this.#drawnWidth && this.show(this.#scene);
    new ResizeObserver(redraw).observe(box);
  }

  /**
   * @param {string} label
   * @param {Pointing["onPoint"]} onPoint
   */
  #listen(label, onPoint) {
    this.#root.setAttribute("role", "group");
    this.#root.setAttribute("aria-label", label);
    this.#root.addEventListener("click", (event) => {
      const says = targetOf(event)?.dataset.says;
      if (says) onPoint(says, event);
    });
    this.#root.addEventListener("keydown", (event) => {
      const says = targetOf(event)?.dataset.says;
      if ((event.key === "Enter" || event.key === " ") && says) {
        event.preventDefault();
        onPoint(says, event);
      } else this.#moveFocus(event);
    });
    this.#root.addEventListener("focusin", (event) => this.#setTabStop(targetOf(event)));
  }

  /**
   * All targets together are one stop of the Tab key. The arrows go from one to the next.
   *
   * @param {KeyboardEvent} event
   */
  #moveFocus(event) {
    const targets = this.#targets();
    const target = targetOf(event);
    const step = ARROWS[event.key];
    if (!target || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const at = targets.indexOf(target) + step + targets.length;
    targets[at % targets.length].focus({ preventScroll: true });
  }

  #targets() {
    return /** @type {SVGElement[]} */ ([...this.#root.querySelectorAll("[data-says]")]);
  }

  /**
   * Make one target the stop of the Tab key: the one given, or the one before, or the first.
   *
   * @param {SVGElement | null} [wanted]
   */
  #setTabStop(wanted) {
    const targets = this.#targets();
    if (wanted) this.#tabStop = wanted.dataset.says;
    const before = targets.find(({ dataset }) => dataset.says === this.#tabStop);
    const stop = wanted ?? before ?? targets[0];
    for (const target of targets) target.setAttribute("tabindex", target === stop ? "0" : "-1");
    return stop;
  }

  /** Put the focus on a target. Returns false if there is none. */
  focus() {
    const stop = this.#setTabStop();
    stop?.focus({ preventScroll: true });
    return Boolean(stop);
  }

  #width() {
    return Math.round(this.box.clientWidth);
  }

  /** @param {Scene | undefined} scene */
  show(scene) {
    this.#scene = scene;
    const width = this.#width();
    if (!scene || width < NARROWEST) return;
    if (this.#drawnWidth !== width) this.renderer.isFirst = true;
    this.#drawnWidth = width;
    this.renderer.frame(() => {
      let top = 0;
      for (const [draw, shapes] of bandsOf(scene)) {
        const band = this.renderer.group(this.#ground, `band ${draw.name}`, { at: [0, top] });
        top += draw(this.renderer, band, shapes, width) + GAP;
      }
      this.#root.setAttribute("viewBox", `0 0 ${width} ${Math.max(top - GAP, 20)}`);
    });
    this.#setTabStop();
  }
}

/**
 * The target that an event is about.
 *
 * @param {Event} event
 * @returns {SVGElement | null}
 */
function targetOf({ target }) {
  return target instanceof Element ? target.closest("[data-says]") : null;
}

/**
 * The shapes of a scene by what draws them, in the order in which each kind comes first. A form
 * that the page does not know is drawn plainly.
 *
 * @param {Scene} scene
 */
export function bandsOf(scene) {
  /** @type {Map<DrawBand, Keyed<Shape>[]>} */
  const bands = new Map();
  scene.forEach((shape, key) => {
    const form = "form" in shape ? (shape.form ?? "") : "";
    const kind = KINDS.find(
      (one) => one.shape === shape.shape && (!one.forms || one.forms.includes(form)),
    );
    if (!kind) return;
    const shapes = bands.get(kind.draw) ?? [];
    bands.set(kind.draw, [...shapes, { ...shape, key }]);
  });
  return bands;
}

/**
 * What shapes are filled with, apart from colours.
 *
 * @param {{ hatch: string, shine: string }} ids
 */
function fills({ hatch, shine }) {
  const line = svg("path", { d: "M-1 7L7 -1M1 9L9 1", class: "hatch-line" });
  const pattern = { id: hatch, width: 6, height: 6, patternUnits: "userSpaceOnUse" };
  const glow = svg(
    "radialGradient",
    { id: shine, cx: "35%", cy: "30%", r: "75%" },
    svg("stop", { offset: "0%", class: "shine-from" }),
    svg("stop", { offset: "100%", class: "shine-to" }),
  );
  return svg("defs", {}, svg("pattern", pattern, line), glow);
}
