// Reserves of coins on a table, and envelopes with hidden choices.

import { ACTIONS_HEIGHT, drawActions } from "./action_labels.js";
import { IN_WORDS } from "./strings.js";
import { clamp } from "./svg_renderer.js";

/** @import { Stack } from "./protocol.js" */
/** @import { Keyed } from "./picture.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */

const PILE = 5;
const MAX_COINS = 45;
/** @type {[number, number][]} The places of the piles around the middle, in radii of a coin. */
const PLACES = [
  [-1.1, 0],
  [1.1, 0],
  [0, 1.9],
  [-2.2, 1.9],
  [2.2, 1.9],
  [-1.1, -1.7],
  [1.1, -1.7],
  [-3.3, 0],
  [3.3, 0],
];

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Stack>[]} stacks
 * @param {number} width
 * @param {number} [room] the available height
 */
export function coins(renderer, parent, stacks, width, room) {
  const height = room ?? clamp(width * 0.42, 276, 300);
  const reserves = stacks.filter(({ form }) => form === "coins");
  const envelopes = stacks.filter(({ form }) => form === "envelope");
  const cx = width / 2;
  const edge = { cx, cy: height * 0.575, rx: width * 0.485, ry: height * 0.3 };
  const felt = { cx, cy: height * 0.555, rx: width * 0.47, ry: height * 0.28 };
  renderer.draw(parent, "room", "rect", { width, height, rx: 14, class: "floor" });
  renderer.draw(parent, "cloth", "ellipse", { ...edge, class: "table-edge" });
  renderer.draw(parent, "felt", "ellipse", { ...felt, class: "felt" });
  reserves.forEach((stack, at) => {
    const middle = (width * (2 * at + 1)) / (2 * reserves.length);
    drawReserve(renderer, parent, stack, { middle, across: width / reserves.length, height });
  });
  envelopes.forEach((stack, at) => {
    const x = (width * (at + 1)) / (envelopes.length + 1);
    const place = { x, y: height * 0.26, across: width / envelopes.length - 24, height };
    drawEnvelope(renderer, parent, stack, place);
  });
  renderer.frameLine(parent, "edge", width, height);
  return height;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Stack>} stack
 * @param {{ middle: number, across: number, height: number }} place
 */
function drawReserve(renderer, parent, stack, { middle, across, height }) {
  const { label, count, seat, says } = stack;
  const key = `reserve${stack.key}`;
  const size = clamp(height / 280, 0.75, 2);
  const y = height - 24 - ACTIONS_HEIGHT;
  const aboveActions = y + 14 - 52 * size; // the actions must not cover the count
  const floor = renderer.isInteractive ? Math.min(height * 0.5, aboveActions) : height * 0.56;
  const box = renderer.target(parent, key, says, {
    class: `reserve seat${seat}`,
    at: [middle, 0],
    name: label,
    does: stack.does ?? says,
    ...stack.placeState(),
  });
  const top = floor - 66 * size;
  const high = height - top - 4;
  const reach = { x: -across * 0.44, y: top, width: across * 0.88, height: high, rx: 12 };
  renderer.draw(box, `${key}/reach`, "rect", { ...reach, class: "touch-area halo" });
  drawPiles(renderer, box, stack, { floor, rx: Math.min(23 * size, across / 8.2) });
  renderer.text(
    box,
    `${key}/count`,
    [0, floor + 52 * size],
    count ?? IN_WORDS.hidden,
    "on-felt number",
  );
  const left = -across / 2 + 14;
  const fit = { anchor: "start", room: across - 40 };
  renderer.seatMark(box, `${key}/sign`, seat, [left, height - 14], 4.5);
  renderer.text(box, `${key}/label`, [left + 11, height - 9], label, "on-floor small", fit);
  drawActions(renderer, parent, stack, { x: middle, y, room: across - 16 });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} box
 * @param {Keyed<Stack>} stack
 * @param {{ floor: number, rx: number }} size
 */
function drawPiles(renderer, box, { key, count, seat }, { floor, rx }) {
  const shown = Math.min(count ?? 0, MAX_COINS);
  const ry = rx * 0.4;
  const piles = Math.ceil(shown / PILE);
  const numbers = [...Array(piles).keys()];
  const backToFront = numbers.sort((a, b) => PLACES[a][1] - PLACES[b][1]);
  for (const number of backToFront) {
    const [dx, dy] = piles === 1 ? [0, 0.4] : PLACES[number];
    const pileKey = `reserve${key}/pile${number}`;
    const at = [dx * rx, floor - 4 + dy * ry * 1.3];
    const pile = renderer.group(box, pileKey, { class: "pile", at });
    const shadow = { cx: 2, cy: 3, rx: rx + 2, ry: ry + 2, class: "shadow" };
    renderer.draw(pile, `${pileKey}/shadow`, "ellipse", shadow);
    for (let n = number * PILE; n < Math.min(shown, (number + 1) * PILE); n += 1) {
      drawCoin(renderer, pile, `reserve${key}/coin${n}`, { seat, level: n % PILE, rx, ry });
    }
  }
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} pile
 * @param {string} key
 * @param {{ seat?: number, level: number, rx: number, ry: number }} coin
 */
function drawCoin(renderer, pile, key, { seat, level, rx, ry }) {
  const thickness = Math.max(7.5, rx * 0.42);
  const bottom = -level * thickness;
  const cy = bottom - thickness;
  const coin = renderer.group(pile, key, { class: "piece coin" });
  const side = `M${-rx} ${cy}v${thickness}a${rx} ${ry} 0 0 0 ${2 * rx} 0v${-thickness}z`;
  const inner = { cy, rx: rx * 0.72, ry: ry * 0.7, class: "coin-ring" };
  renderer.seatShape(coin, `${key}/side`, "path", seat, { d: side, class: "rim" });
  renderer.draw(coin, `${key}/top`, "ellipse", { cy, rx, ry, class: "coin-face" });
  renderer.draw(coin, `${key}/inner`, "ellipse", inner);
  if (seat === undefined) return;
  const flat = renderer.group(coin, `${key}/flat`, {
    transform: `translate(0 ${cy}) scale(1 0.42)`,
  });
  renderer.seatMark(flat, `${key}/sign`, seat, [0, 0], rx * 0.3);
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Stack>} stack
 * @param {{ x: number, y: number, across: number, height: number }} place
 */
function drawEnvelope(renderer, parent, { key: number, label, count, seat, placeState }, place) {
  const { x, y, across: room, height } = place;
  const key = `envelope${number}`;
  const size = clamp(height / 280, 0.75, 1.6);
  const side = seat === undefined ? 0 : seat * 2 - 1;
  const outer = renderer.group(parent, key, {
    class: `piece envelope from${side} seat${seat} ${placeState().isLast ? "last" : ""}`,
    "data-place": placeState().place,
  });
  const box = renderer.group(outer, `${key}/at`, {
    transform: `translate(${x} ${y}) rotate(-3) scale(${size})`,
  });
  const shadow = { x: -47, y: -27, width: 98, height: 64, rx: 4, class: "shadow" };
  const paper = { x: -50, y: -32, width: 100, height: 64, rx: 4, class: "paper" };
  const folds = "M-50 30L-10 -2M50 30L10 -2";
  const flap = "M-50 -30Q-48 -32 -46 -32H46Q48 -32 50 -30L4 4Q0 7 -4 4z";
  renderer.draw(box, `${key}/shadow`, "rect", shadow);
  renderer.draw(box, `${key}/paper`, "rect", paper);
  renderer.draw(box, `${key}/folds`, "path", { d: folds, class: "fold" });
  renderer.draw(box, `${key}/flap`, "path", { d: flap, class: "flap" });
  renderer.seatShape(box, `${key}/wax`, "circle", seat, { cy: 4, r: 14, class: "wax" });
  renderer.draw(box, `${key}/badge`, "circle", { cy: 4, r: 10, class: "badge" });
  renderer.text(box, `${key}/count`, [0, 9], count ?? "?", "on-globe number");
  const words = `${label}: ${count ?? IN_WORDS.hidden}`;
  renderer.text(outer, `${key}/label`, [x, y - 42 * size], words, "on-floor small", { room });
}
