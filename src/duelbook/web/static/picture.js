// A scene as one picture: shapes of a kind are drawn together, one band below the other.

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
/** @import { Cue } from "./effects.js" */
/** @import { Marks, Places } from "./last_move.js" */
/** @import { Moment } from "./moments.js" */
/**
 * The drawing of a shape or a part: its place, and whether the last move was made there.
 *
 * @typedef {{ place: string, isLast: boolean }} Drawn
 */
/**
 * A shape with its number in the scene, which is the key of what is drawn for it.
 *
 * @template {Shape} S
 * @typedef {S & { key: number, drawn: (part?: number) => Drawn }} Keyed
 */
/**
 * Draws shapes as wide as it is told, and returns how high they are. `height` is the room that
 * there is; without it they are as high as they like.
 *
 * @typedef {(
 *   renderer: SvgRenderer, parent: SVGElement, shapes: Keyed<any>[], width: number,
 *   height?: number
 * ) => number} DrawBand
 */
/**
 * The label of a player's thing: `owned(seat, "ships")` is `Your ships` or `Ann's ships`.
 *
 * @typedef {(seat: Seat, label: string) => string} Owned
 */
/**
 * How a band takes part in sharing the height: one that `fills` takes what the others leave, one
 * that `grows` does so where no other band fills.
 *
 * @typedef {"fills" | "grows"} Stretch
 */
/**
 * `onPoint(says, event)` is called when something is pointed at; without it the picture is only
 * looked at. A picture that `fits` is as high as its box, else the box is as high as the picture.
 *
 * `onDrag` is called while a finger slides from a target, with its words and how far it has come;
 * at the start it returns whether sliding means anything there.
 *
 * @typedef {{
 *   label: string, onPoint: (says: string, event: UIEvent) => void, fits: boolean, owned: Owned,
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
const LOWEST = 120;
const NARROWEST = 40;
const DRAG = 10; // how far a finger slides before it is no tap any more
/** @type {Record<string, number>} */
const ARROWS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
let pictures = 0;

export class Picture {
  #root = svg("svg", { class: "picture", focusable: "false" });
  #ground = svg("g");
  #effects;
  #drawnSize = "";
  /** @type {string | undefined} What the Tab key stops at. */
  #tabStop;
  /** @type {Scene | undefined} */
  #scene;
  /** @type {Marks} */
  #marks = { lastMove: NOWHERE };

  /**
   * @param {HTMLElement} box
   * @param {Partial<Options & Callbacks>} [options]
   */
  constructor(box, { label = "", onPoint, onDrag, fits = false, owned, ...callbacks } = {}) {
    pictures += 1;
    const ids = { hatch: `hatch-${pictures}`, shine: `shine-${pictures}` };
    const no = () => false;
    const amountsAfter = () => ({ word: "", numbers: [] });
    const none = { canSelect: no, isSelected: no, isHinted: no, amountsAfter };
    this.box = box;
    this.fits = fits;
    this.owned = owned ?? ((/** @type {Seat} */ _, /** @type {string} */ what) => what);
    this.renderer = new SvgRenderer({ ...none, ...callbacks }, ids);
    this.#root.append(fills(ids), this.#ground);
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
      if (!says || (!isDragged && Math.abs(pixels) < DRAG)) return;
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

  /** How wide the picture is, and how high it may be. */
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
    if (!scene || width < NARROWEST) return;
    const size = `${width},${room}`;
    if (this.#drawnSize !== size) this.renderer.isFirst = true;
    this.#drawnSize = size;
    const elsewhere = scene.flatMap((shape) => ("amounts" in shape ? (shape.amounts ?? []) : []));
    this.renderer.chosenElsewhere = new Set(elsewhere);
    this.renderer.frame(() => {
      const height = Math.max(this.#drawBands(withOwners(scene, this.owned), width, room), 20);
      const above = Number.isFinite(room) ? Math.max(0, room - height) / 2 : 0;
      this.#root.setAttribute("viewBox", `0 ${-above} ${width} ${height + 2 * above}`);
    });
    for (const seat of [0, 1]) this.#root.classList.toggle(`won${seat}`, marks.winner === seat);
    this.#setTabStop();
  }

  /**
   * Play the moments of the move that led to this picture. Returns how many milliseconds they take.
   *
   * @param {Moment[]} moments
   * @param {Cue} cue called with what is to be heard
   */
  play(moments, cue) {
    if (this.renderer.isStill) return 0;
    try {
      return this.#effects.play(moments, cue);
    } catch (error) {
      reportError(error); // the game continues without the effect
      return 0;
    }
  }

  /**
   * Draw all bands, and return how high they are together. Bands that do not stretch come first,
   * for the others share what they leave.
   *
   * @param {Scene} scene
   * @param {number} width
   * @param {number} room
   */
  #drawBands(scene, width, room) {
    const bands = [...bandsOf(scene, this.#marks.lastMove)].map(([draw, shapes]) => {
      const key = `band ${draw.name}`;
      return { draw, shapes, key, group: this.renderer.group(this.#ground, key), height: 0 };
    });
    const stretching = Number.isFinite(room) ? stretchingOf(bands.map(({ draw }) => draw)) : [];
    let left = room - GAP * (bands.length - 1);
    for (const band of bands.filter(({ draw }) => !stretching.includes(draw))) {
      band.height = band.draw(this.renderer, band.group, band.shapes, width);
      left -= band.height;
    }
    const share = Math.max(LOWEST, left / stretching.length);
    for (const band of bands.filter(({ draw }) => stretching.includes(draw))) {
      band.height = band.draw(this.renderer, band.group, band.shapes, width, share);
    }
    let top = 0;
    for (const { key, height } of bands) {
      this.renderer.group(this.#ground, key, { at: [0, top] });
      top += height + GAP;
    }
    return top - GAP;
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
 * The shapes of a scene, those of a player labelled as theirs.
 *
 * @param {Scene} scene
 * @param {Owned} owned
 */
export function withOwners(scene, owned) {
  return scene.map((shape) =>
    "label" in shape && shape.seat !== undefined
      ? { ...shape, label: owned(shape.seat, shape.label) }
      : shape,
  );
}

/**
 * The shapes of a scene by what draws them, in the order in which each kind comes first. A form
 * that the page does not know is drawn plainly.
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
    const drawn = (/** @type {number | undefined} */ part) => {
      const place = part === undefined ? `${key}` : `${key}/${part}`;
      return { place, isLast: lastMove.has(place) };
    };
    bands.set(draw, [...shapes, { ...shape, key, drawn }]);
  });
  return bands;
}

/**
 * Which of some bands share the height that the others leave.
 *
 * @param {DrawBand[]} draws
 */
export function stretchingOf(draws) {
  const all = [...FORM_DRAWINGS, ...Object.values(PLAIN_DRAWINGS)];
  const that = (/** @type {Stretch} */ stretch) =>
    draws.filter((draw) =>
      all.some((drawing) => drawing.draw === draw && drawing.stretch === stretch),
    );
  const filling = that("fills");
  return filling.length ? filling : that("grows");
}

/**
 * The fills of shapes, apart from colours.
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
