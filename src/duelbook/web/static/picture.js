// A scene as one picture. Shapes of one kind form a band; the bands are one below the other.

import { coins } from "./coins.js";
import { svg } from "./dom.js";
import { Effects } from "./effects.js";
import { islands } from "./islands.js";
import { NOWHERE } from "./last_move.js";
import { bars, boxes, letterBoard, piles, textLines } from "./plain_shapes.js";
import { planets } from "./planets.js";
import { SvgRenderer } from "./svg_renderer.js";
import { towers } from "./towers.js";
import { track } from "./track.js";

/** @import { Scene, Seat, Shape } from "./protocol.js" */
/** @import { Callbacks } from "./svg_renderer.js" */
/** @import { PlaySound } from "./effects.js" */
/** @import { Marks, Places } from "./last_move.js" */
/** @import { MoveEvent } from "./move_events.js" */
/**
 * The place of a shape or a part, and whether the last move touched it.
 *
 * @typedef {{ place: string, isLast: boolean }} PlaceState
 */
/**
 * A shape with its number in the scene, which is the key of its elements.
 *
 * @template {Shape} S
 * @typedef {S & { key: number, placeState: (part?: number) => PlaceState }} Keyed
 */
/**
 * Draws shapes with a given width, and returns their height. `height` is the available height; if
 * it is missing, the shapes have their natural height.
 *
 * @typedef {(
 *   renderer: SvgRenderer, parent: SVGElement, shapes: Keyed<any>[], width: number,
 *   height?: number
 * ) => number} DrawBand
 */
/**
 * Returns the label of a player's shape: `ownedLabel(0, "ships")` is `Your ships` or `Ann's ships`.
 *
 * @typedef {(seat: Seat, label: string) => string} OwnedLabel
 */
/**
 * The use of spare height by a band: one that `fills` takes the spare height, one that `grows`
 * takes it if no other band fills.
 *
 * @typedef {"fills" | "grows"} Stretch
 */
/**
 * `onPoint(says, event)` is called with the words of a chosen target; without it the picture is not
 * interactive. A picture that `fits` is as high as its box; otherwise the box is as high as the
 * picture.
 *
 * `onDrag` is called during a drag from a target, with its words and the distance. At the start it
 * returns whether the target supports drags.
 *
 * @typedef {{
 *   label: string, onPoint: (says: string, event: UIEvent) => void, fits: boolean,
 *   ownedLabel: OwnedLabel,
 *   onDrag: (says: string, pixels: number, event: PointerEvent) => boolean,
 * }} Options
 */

/** @typedef {{ draw: DrawBand, stretch?: Stretch }} Drawing */
/**
 * The drawings of known forms.
 *
 * @type {(Drawing & { shape: Shape["shape"], forms: string[] })[]}
 */
const FORM_DRAWINGS = [
  { draw: islands, shape: "gauge", forms: ["island"], stretch: "fills" },
  { draw: islands, shape: "stack", forms: ["sea"], stretch: "fills" },
  { draw: towers, shape: "gauge", forms: ["tower"], stretch: "fills" },
  { draw: planets, shape: "slots", forms: ["planets", "ships"], stretch: "fills" },
  { draw: coins, shape: "stack", forms: ["coins", "envelope"], stretch: "fills" },
];
/**
 * The drawing of each shape without a known form. The type check fails if a shape is missing.
 *
 * @type {Readonly<Record<Shape["shape"], Drawing>>}
 */
const PLAIN_DRAWINGS = {
  track: { draw: track, stretch: "fills" },
  stack: { draw: piles },
  gauge: { draw: bars },
  slots: { draw: boxes, stretch: "grows" },
  board: { draw: letterBoard, stretch: "grows" },
  text: { draw: textLines },
};
const GAP = 10;
const MIN_BAND_HEIGHT = 120;
const MIN_WIDTH = 40;
const DRAG_PIXELS = 10; // the distance after which a tap becomes a drag
/** @type {Record<string, number>} */
const ARROWS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
let pictures = 0;

export class Picture {
  #root = svg("svg", { class: "picture", focusable: "false" });
  #bands = svg("g");
  #effects;
  #drawnSize = "";
  /** @type {string | undefined} The words of the target at which the Tab key stops. */
  #tabStop;
  /** @type {Scene | undefined} */
  #scene;
  /** @type {Marks} */
  #marks = { lastMove: NOWHERE };

  /**
   * @param {HTMLElement} box
   * @param {Partial<Options & Callbacks>} [options]
   */
  constructor(box, { label = "", onPoint, onDrag, fits = false, ownedLabel, ...callbacks } = {}) {
    pictures += 1;
    const ids = { hatch: `hatch-${pictures}`, shine: `shine-${pictures}` };
    const no = () => false;
    const amountsAfter = () => ({ word: "", numbers: [] });
    const defaults = { canSelect: no, isSelected: no, isHinted: no, amountsAfter };
    this.box = box;
    this.fits = fits;
    this.ownedLabel = ownedLabel ?? ((/** @type {Seat} */ _, /** @type {string} */ label) => label);
    this.renderer = new SvgRenderer({ ...defaults, ...callbacks }, ids);
    this.#root.append(fillDefs(ids), this.#bands);
    this.#effects = new Effects(this.#root);
    this.renderer.isInteractive = Boolean(onPoint);
    if (onDrag) this.#listenToDrags(onDrag);
    if (onPoint) this.#listen(label, onPoint);
    else this.#root.setAttribute("aria-hidden", "true");
    box.append(this.#root);
    const redraw = () => this.#size().join() !== this.#drawnSize && this.show(this.#scene);
    new ResizeObserver(redraw).observe(box);
  }

  /** @param {Options["onDrag"]} onDrag */
  #listenToDrags(onDrag) {
    let says = "";
    let from = 0;
    let isDragged = false;
    this.#root.addEventListener("pointerdown", (event) => {
      says = targetOf(event)?.dataset.says ?? "";
      from = event.clientX;
      isDragged = false;
    });
    this.#root.addEventListener("pointermove", (event) => {
      const pixels = event.clientX - from;
      if (!says || (!isDragged && Math.abs(pixels) < DRAG_PIXELS)) return;
      if (!isDragged) {
        isDragged = onDrag(says, 0, event);
        if (isDragged) this.#root.setPointerCapture(event.pointerId);
        else says = "";
      }
      if (isDragged) onDrag(says, pixels, event);
    });
    const end = () => {
      says = "";
    };
    this.#root.addEventListener("pointerup", end);
    this.#root.addEventListener("pointercancel", end);
    // A drag is not a click.
    const swallow = (/** @type {MouseEvent} */ event) => isDragged && event.stopPropagation();
    this.#root.addEventListener("click", swallow, { capture: true });
  }

  /**
   * @param {string} label
   * @param {Options["onPoint"]} onPoint
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
   * Move the focus between targets with the arrow keys. All targets are one stop of the Tab key.
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
   * Make one target the stop of the Tab key: the given one, the previous one, or the first.
   *
   * @param {SVGElement | null} [target]
   */
  #setTabStop(target) {
    const targets = this.#targets();
    if (target) this.#tabStop = target.dataset.says;
    const before = targets.find(({ dataset }) => dataset.says === this.#tabStop);
    const stop = target ?? before ?? targets[0];
    for (const target of targets) target.setAttribute("tabindex", target === stop ? "0" : "-1");
    return stop;
  }

  /** Focus a target, and return false if there is defaults. */
  focus() {
    const stop = this.#setTabStop();
    stop?.focus({ preventScroll: true });
    return Boolean(stop);
  }

  /** Return the width of the picture, and its maximum height. */
  #size() {
    const { clientWidth, clientHeight } = this.box;
    return [Math.round(clientWidth), this.fits ? Math.round(clientHeight) : Infinity];
  }

  /**
   * @param {Scene | undefined} scene
   * @param {Marks} [marks] if they have changed
   */
  show(scene, marks = this.#marks) {
    this.#scene = scene;
    this.#marks = marks;
    const [width, room] = this.#size();
    if (!scene || width < MIN_WIDTH) return;
    const size = `${width},${room}`;
    if (this.#drawnSize !== size) this.renderer.isFirst = true;
    this.#drawnSize = size;
    const elsewhere = scene.flatMap((shape) => ("amounts" in shape ? (shape.amounts ?? []) : []));
    this.renderer.chosenElsewhere = new Set(elsewhere);
    this.renderer.frame(() => {
      const height = Math.max(this.#drawBands(withOwners(scene, this.ownedLabel), width, room), 20);
      const above = Number.isFinite(room) ? Math.max(0, room - height) / 2 : 0;
      this.#root.setAttribute("viewBox", `0 ${-above} ${width} ${height + 2 * above}`);
    });
    for (const seat of [0, 1]) this.#root.classList.toggle(`won${seat}`, marks.winner === seat);
    this.#setTabStop();
  }

  /**
   * Animate the events of the last move, and return their duration in milliseconds.
   *
   * @param {MoveEvent[]} events
   * @param {PlaySound} playSound
   */
  play(events, playSound) {
    if (this.renderer.isStill) return 0;
    try {
      return this.#effects.play(events, playSound);
    } catch (error) {
      reportError(error); // the game continues without the effect
      return 0;
    }
  }

  /**
   * Draw all bands, and return their total height. Bands that do not stretch come first, because
   * the others share the remaining height.
   *
   * @param {Scene} scene
   * @param {number} width
   * @param {number} room
   */
  #drawBands(scene, width, room) {
    const bands = [...bandsOf(scene, this.#marks.lastMove)].map(([draw, shapes]) => {
      const key = `band ${draw.name}`;
      return { draw, shapes, key, group: this.renderer.group(this.#bands, key), height: 0 };
    });
    const stretching = Number.isFinite(room) ? stretchingOf(bands.map(({ draw }) => draw)) : [];
    let left = room - GAP * (bands.length - 1);
    for (const band of bands.filter(({ draw }) => !stretching.includes(draw))) {
      band.height = band.draw(this.renderer, band.group, band.shapes, width);
      left -= band.height;
    }
    const share = Math.max(MIN_BAND_HEIGHT, left / stretching.length);
    for (const band of bands.filter(({ draw }) => stretching.includes(draw))) {
      band.height = band.draw(this.renderer, band.group, band.shapes, width, share);
    }
    let top = 0;
    for (const { key, height } of bands) {
      this.renderer.group(this.#bands, key, { at: [0, top] });
      top += height + GAP;
    }
    return top - GAP;
  }
}

/**
 * Return the target of an event.
 *
 * @param {Event} event
 * @returns {SVGElement | null}
 */
function targetOf({ target }) {
  return target instanceof Element ? target.closest("[data-says]") : null;
}

/**
 * Return the shapes of a scene, with the owner in the labels.
 *
 * @param {Scene} scene
 * @param {OwnedLabel} ownedLabel
 */
export function withOwners(scene, ownedLabel) {
  return scene.map((shape) =>
    "label" in shape && shape.seat !== undefined
      ? { ...shape, label: ownedLabel(shape.seat, shape.label) }
      : shape,
  );
}

/**
 * Return the shapes of a scene by their drawing function, in the order of the scene. A form that
 * the page does not know has a plain drawing.
 *
 * @param {Scene} scene
 * @param {Places} [lastMove]
 */
export function bandsOf(scene, lastMove = NOWHERE) {
  /** @type {Map<DrawBand, Keyed<Shape>[]>} */
  const bands = new Map();
  scene.forEach((shape, key) => {
    const form = "form" in shape ? (shape.form ?? "") : "";
    const special = FORM_DRAWINGS.find(
      (drawing) => drawing.shape === shape.shape && drawing.forms.includes(form),
    );
    const { draw } = special ?? PLAIN_DRAWINGS[shape.shape];
    const shapes = bands.get(draw) ?? [];
    const placeState = (/** @type {number | undefined} */ part) => {
      const place = part === undefined ? `${key}` : `${key}/${part}`;
      return { place, isLast: lastMove.has(place) };
    };
    bands.set(draw, [...shapes, { ...shape, key, placeState }]);
  });
  return bands;
}

/**
 * Return the bands that share the remaining height.
 *
 * @param {DrawBand[]} draws
 */
export function stretchingOf(draws) {
  const all = [...FORM_DRAWINGS, ...Object.values(PLAIN_DRAWINGS)];
  const withStretch = (/** @type {Stretch} */ stretch) =>
    draws.filter((draw) =>
      all.some((drawing) => drawing.draw === draw && drawing.stretch === stretch),
    );
  const filling = withStretch("fills");
  return filling.length ? filling : withStretch("grows");
}

/**
 * Return the pattern and the gradient for fills.
 *
 * @param {{ hatch: string, shine: string }} ids
 */
function fillDefs({ hatch, shine }) {
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
