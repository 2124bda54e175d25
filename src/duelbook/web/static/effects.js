// Animates the events of a move on a picture that already shows the position after it.

import { countingText } from "./counting_text.js";
import { svg } from "./dom.js";
import { turningCards } from "./turning_cards.js";

/** @import { MoveEvent } from "./move_events.js" */
/** @import { SoundName } from "./sounds.js" */
/** @typedef {(name: SoundName, delay?: number) => void} PlaySound */
/** @typedef {[number, number]} Point */
/** @template {MoveEvent["kind"]} Kind @typedef {Extract<MoveEvent, { kind: Kind }>} EventOf */

// Durations in milliseconds.
const CSS_ANIMATION = 550; // of a change in the style sheets
const FLIGHT = 650;
const LANDING = 350;
const STEP = 190;
const TURNING = 900;
const CARDS = 1700;
const COUNTING = 500;
const EASING = "cubic-bezier(0.4, 0, 0.2, 1)";

export class Effects {
  #root;
  /** @type {PlaySound} */
  #playSound = () => {};
  #layer = svg("g", { class: "effects", "aria-hidden": "true" });

  /** @param {SVGSVGElement} root of the picture */
  constructor(root) {
    this.#root = root;
    root.append(this.#layer);
  }

  /**
   * Play the animations, and return their duration in milliseconds.
   *
   * @param {MoveEvent[]} events
   * @param {PlaySound} playSound
   */
  play(events, playSound) {
    this.#playSound = playSound;
    if (!events.length) playSound("move");
    this.#stop();
    let start = 0; // later effects wait for a reveal or a walk
    let end = CSS_ANIMATION;
    for (const event of events) {
      const duration = this.#playEvent(event, start);
      end = Math.max(end, start + duration);
      if (event.kind === "reveal") {
        start += TURNING;
        this.#holdPieces(TURNING);
      }
      if (event.kind === "walk") start += duration;
    }
    return end;
  }

  /**
   * @param {MoveEvent} event
   * @param {number} start
   */
  #playEvent(event, start) {
    if (event.kind === "fly") return this.#fly(event);
    if (event.kind === "walk") return this.#walk(event, start);
    if (event.kind === "reveal") return this.#reveal(event);
    if (event.kind === "count") return this.#count(event, start);
    if (event.kind === "fall") return this.#fall(event);
    if (event.kind === "sink") return this.#sink(event);
    return this.#rise(event);
  }

  /** Stop all effects of earlier moves. */
  #stop() {
    for (const animation of this.#root.getAnimations({ subtree: true })) {
      const isStyled = animation instanceof CSSAnimation || animation instanceof CSSTransition;
      if (!isStyled) animation.cancel();
    }
    this.#layer.replaceChildren();
  }

  /**
   * Delay the pieces that appear or disappear until the reveal shows the reason.
   *
   * @param {number} time
   */
  #holdPieces(time) {
    for (const piece of this.#root.querySelectorAll(".piece:not(.envelope)")) {
      const isMoving = piece.getAnimations().some(({ playState }) => playState === "running");
      if (!isMoving || !(piece instanceof SVGElement)) continue;
      const delay = Number.parseFloat(piece.style.animationDelay) || 0;
      piece.style.animationDelay = `${delay + time}ms`;
    }
  }

  /** @param {string} place */
  #nodeAt(place) {
    return this.#root.querySelector(`[data-place="${place}"]`);
  }

  /**
   * Return the middle of a node in the coordinates of the picture.
   *
   * @param {Element} node
   * @returns {Point}
   */
  #middle(node) {
    const { x, y, width, height } = node.getBoundingClientRect();
    const toPicture = this.#root.getScreenCTM()?.inverse();
    const { x: left, y: top } = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(
      toPicture,
    );
    return [left, top];
  }

  /**
   * Show a node for the duration of an animation.
   *
   * @param {SVGElement} node
   * @param {Keyframe[]} frames
   * @param {number} duration
   * @param {number} [delay]
   */
  #showDuring(node, frames, duration, delay = 0) {
    this.#layer.append(node);
    const animation = node.animate(frames, { duration, delay, fill: "both", easing: EASING });
    const remove = () => node.remove();
    animation.finished.then(remove, remove);
  }

  /** @param {EventOf<"fly">} event */
  #fly({ from, to, lands }) {
    const [ship, planet] = [this.#nodeAt(from), this.#nodeAt(to)];
    const hull = ship?.querySelector(".hull");
    const globe = planet?.querySelector(".globe");
    if (!ship || !hull || !planet || !globe) return 0;
    this.#playSound("fly");
    const [x, y] = this.#middle(hull);
    const [toX, toY] = this.#middle(globe);
    const turn = (Math.atan2(toX - x, y - toY) * 180) / Math.PI;
    const seat = ship.classList.contains("seat1") ? 1 : 0;
    const flying = svg("g", { class: `ship flying seat${seat}` });
    flying.append(hull.cloneNode(true));
    const pose = (/** @type {Point} */ [atX, atY], /** @type {number} */ angle, size = 1) =>
      `translate(${atX}px, ${atY}px) rotate(${angle}deg) scale(${size})`;
    const flight = [
      { transform: pose([x, y], 0) },
      { transform: pose([x, y - 12], turn), offset: 0.2 },
    ];
    if (lands) {
      const landed = { transform: pose([toX, toY], turn, 0.45), opacity: 1, offset: 0.92 };
      const vanished = { transform: pose([toX, toY], turn, 0.2), opacity: 0 };
      this.#showDuring(flying, [...flight, landed, vanished], FLIGHT);
      plantFlag(planet);
      this.#playSound("land", FLIGHT);
      return FLIGHT + LANDING;
    }
    const touch = /** @type {Point} */ ([toX + (x - toX) * 0.12, toY + (y - toY) * 0.12]);
    const away = /** @type {Point} */ ([toX + (x < toX ? -70 : 70), toY + 90]);
    const bounce = [
      { transform: pose(touch, turn, 0.8), opacity: 1, offset: 0.58 },
      { transform: pose(away, turn + 420, 0.5), opacity: 0 },
    ];
    this.#showDuring(flying, [...flight, ...bounce], FLIGHT + LANDING);
    shake(planet, (FLIGHT + LANDING) * 0.56);
    this.#playSound("bounce", (FLIGHT + LANDING) * 0.56);
    return FLIGHT + LANDING;
  }

  /**
   * @param {EventOf<"walk">} event
   * @param {number} start
   */
  #walk({ shape, seat, cells, isSentHome }, start) {
    const unit = this.#root.querySelector(`[data-unit="${shape}/unit${seat}"]`);
    const stones = cells.map((cell) => this.#nodeAt(`${shape}/${cell}`));
    if (!(unit instanceof SVGElement) || stones.some((stone) => !stone)) return 0;
    const points = stones.map((stone) => this.#middle(/** @type {Element} */ (stone)));
    const [endX, endY] = points[points.length - 1];
    const away = ([x, y] = points[0], up = 0) => ({
      transform: `translate(${x - endX}px, ${y - endY - up}px)`,
    });
    const hops = points.slice(1).flatMap((point, at) => {
      const middle = /** @type {Point} */ (point.map((n, axis) => (n + points[at][axis]) / 2));
      return isSentHome ? [away(point)] : [away(middle, 10), away(point)];
    });
    const duration = Math.min(1000, Math.max(2 * STEP, (cells.length - 1) * STEP));
    unit.style.transition = "none"; // the animation along the track replaces it
    const walk = unit.animate([away(), ...hops], {
      ...{ duration, delay: start, fill: "backwards", composite: "add" },
      easing: isSentHome ? "ease-in-out" : "linear",
    });
    const rest = () => unit.style.removeProperty("transition");
    walk.finished.then(rest, rest);
    if (isSentHome) this.#playSound("home", start);
    else for (let n = 1; n < cells.length; n += 1) this.#playSound("step", start + n * STEP);
    if (isSentHome) shake(unit.firstElementChild ?? unit, start - STEP / 2);
    return duration;
  }

  /** @param {EventOf<"reveal">} event */
  #reveal({ cards }) {
    const { y, width, height } = this.#root.viewBox.baseVal;
    for (const { node, frames } of turningCards(cards, [width / 2, y + height * 0.42])) {
      this.#showDuring(node, frames, CARDS);
    }
    this.#playSound("turn", CARDS * 0.33);
    return CARDS;
  }

  /**
   * Animate the change of an amount in single steps.
   *
   * @param {EventOf<"count">} event
   * @param {number} start
   */
  #count({ place, by }, start) {
    const node = this.#nodeAt(place);
    const near = node?.querySelector(".number") ?? node;
    if (!near) return 0;
    const [x, y] = this.#middle(near);
    const kind = by > 0 ? "gain" : "loss";
    const words = svg("text", {
      class: `picture-text number delta ${kind}`,
      "text-anchor": "middle",
    });
    const sign = by > 0 ? "+" : "−";
    const steps = Math.min(Math.abs(by), 12);
    const total = countingText(node?.querySelector(".number"), by);
    for (let n = 1; n <= steps; n += 1) {
      const done = Math.round((Math.abs(by) * n) / steps);
      const showStep = () => {
        words.replaceChildren(`${sign}${done}`);
        total(done);
      };
      if (n === 1 && !start) showStep();
      else setTimeout(showStep, start + (COUNTING * (n - 1)) / steps);
      if (by > 0) this.#playSound("gain", start + (COUNTING * (n - 1)) / steps);
    }
    if (by < 0) this.#playSound("loss", start);
    const pose = (/** @type {number} */ up) => `translate(${x}px, ${y - up}px)`;
    const frames = [
      { transform: pose(8), opacity: 0 },
      { transform: pose(22), opacity: 1, offset: 0.2 },
      { transform: pose(28), opacity: 1, offset: 0.75 },
      { transform: pose(40), opacity: 0 },
    ];
    this.#showDuring(words, frames, COUNTING + 500, start);
    return COUNTING;
  }

  /** @param {EventOf<"fall">} event */
  #fall({ place }) {
    const tower = this.#nodeAt(place);
    if (!tower) return 0;
    const delay = 450;
    this.#playSound("fall", 100);
    const crack = tower.querySelector(".crack");
    crack?.animate([{ strokeDasharray: "0 400" }, { strokeDasharray: "400 0" }], {
      ...{ duration: delay, fill: "backwards" },
    });
    shake(tower, 100, 4);
    for (const block of tower.querySelectorAll(".falling .moved")) {
      const rest = block.getAttribute("data-rest");
      const options = { duration: 650, delay, fill: /** @type {const} */ ("backwards") };
      if (rest) block.animate([{ transform: rest }, {}], { ...options, easing: "ease-in" });
    }
    return delay + 700;
  }

  /** @param {EventOf<"sink">} event */
  #sink({ place }) {
    const land = this.#nodeAt(place);
    if (!land) return 0;
    this.#playSound("sink", 200);
    const [x] = this.#middle(land);
    const level = this.#root.querySelector(".sea.near");
    const y = level ? this.#top(level) : this.#middle(land)[1];
    for (let n = 0; n < 3; n += 1) {
      const ring = svg("ellipse", { rx: 60, ry: 12, class: "ripple" });
      const pose = (/** @type {number} */ size) => `translate(${x}px, ${y}px) scale(${size})`;
      const frames = [
        { transform: pose(0.2), opacity: 0 },
        { transform: pose(0.5), opacity: 0.9, offset: 0.3 },
        { transform: pose(1.6), opacity: 0 },
      ];
      this.#showDuring(ring, frames, 900, 300 + n * 220);
    }
    shake(land, 0, 3);
    return 1100;
  }

  /** @param {EventOf<"rise">} event */
  #rise({ place }) {
    this.#playSound("wave");
    this.#nodeAt(place)
      ?.querySelectorAll(".sea")
      .forEach((wave, at) => {
        const side = at % 2 ? -14 : 14;
        const frames = [0, side, -side / 2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
        wave.animate(frames, { duration: 900, composite: "add", easing: "ease-in-out" });
      });
    return 900;
  }

  /** @param {Element} node */
  #top(node) {
    const { x, y } = node.getBoundingClientRect();
    return new DOMPoint(x, y).matrixTransform(this.#root.getScreenCTM()?.inverse()).y;
  }
}

/** @param {Element} planet that has just been conquered */
function plantFlag(planet) {
  const down = { duration: LANDING, delay: FLIGHT, fill: /** @type {const} */ ("backwards") };
  planet
    .querySelector(".piece")
    ?.animate([{ opacity: 0, transform: "translateY(-80px)" }, {}], { ...down, easing: "ease-in" });
}

/**
 * @param {Element} node
 * @param {number} delay
 * @param {number} [distance]
 */
function shake(node, delay, distance = 5) {
  const frames = [0, distance, -distance, distance / 2, -distance / 2, 0].map((x) => ({
    transform: `translateX(${x}px)`,
  }));
  node.animate(frames, { duration: 380, delay: Math.max(delay, 0), composite: "add" });
}
