// The drawing of towers of blocks, beside a mark at their limit. A tower above its limit breaks.

import { ACTIONS_HEIGHT, drawActions } from "./action_labels.js";
import { IN_WORDS } from "./strings.js";
import { clamp } from "./svg_renderer.js";

/** @import { Gauge } from "./protocol.js" */
/** @import { Keyed } from "./picture.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */
/**
 * The layout of a tower: `unit` is the height of one unit in pixels, `perBlock` the number of units
 * in a block, `breadth` the width of the tower, and `across` the width for its text.
 *
 * @typedef {{
 *   middle: number, across: number, breadth: number, unit: number, perBlock: number,
 *   ground: number,
 * }} Layout
 */

const MAX_BLOCKS = 40;
const BREAK_SHARE = 0.6; // the height of the break, as a share of the limit
const LEAN_DEGREES = 13; // of the part above the break
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000];

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Gauge>[]} gauges
 * @param {number} width
 * @param {number} [room] the available height
 */
export function towers(renderer, parent, gauges, width, room) {
  const height = room ?? clamp(width * 0.6, 310, 380);
  const ground = height - 64;
  const limit = Math.max(...gauges.map((gauge) => gauge.limit), 1);
  const highest = Math.max(...gauges.map((gauge) => gauge.value + 1));
  const top = Math.max(limit + Math.max(3, limit * 0.2), highest);
  const sky = renderer.isInteractive ? ACTIONS_HEIGHT + 6 : 34;
  const unit = (ground - sky) / top;
  const perBlock = Math.max(1, Math.ceil(top / MAX_BLOCKS));
  const breadth = Math.min(height * 0.4, 170, (width / (gauges.length + 1)) * 0.82);
  drawLandscape(renderer, parent, { width, height, ground });
  gauges.forEach((gauge, at) => {
    const middle = (width * (2 * at + 1)) / (2 * gauges.length);
    const across = width / gauges.length - 16;
    drawTower(renderer, parent, gauge, { middle, across, breadth, unit, perBlock, ground });
  });
  drawRuler(renderer, parent, { limit, width, ground, unit });
  gauges.forEach((gauge, at) => {
    const x = (width * (2 * at + 1)) / (2 * gauges.length);
    drawActions(renderer, parent, gauge, { x, y: 4, room: width / gauges.length - 16 });
  });
  renderer.frameLine(parent, "edge", width, height);
  return height;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {{ width: number, height: number, ground: number }} size
 */
function drawLandscape(renderer, parent, { width: w, height, ground: g }) {
  const hills = [
    `M0 ${g}C${w * 0.12} ${g - 46} ${w * 0.2} ${g - 52} ${w * 0.32} ${g - 18}`,
    `C${w * 0.45} ${g - 60} ${w * 0.6} ${g - 78} ${w * 0.72} ${g - 30}`,
    `C${w * 0.82} ${g - 54} ${w * 0.92} ${g - 44} ${w} ${g - 16}V${g}z`,
  ];
  const soil = `M0 ${g}H${w}V${height - 14}a14 14 0 0 1 -14 14H14a14 14 0 0 1 -14 -14z`;
  renderer.draw(parent, "air", "rect", { width: w, height, rx: 14, class: "sky dusk" });
  renderer.draw(parent, "hills", "path", { d: hills.join(""), class: "hills" });
  renderer.draw(parent, "soil", "path", { d: soil, class: "soil" });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Gauge>} gauge
 * @param {Layout} layout
 */
function drawTower(renderer, parent, gauge, layout) {
  const { value, limit, seat, says } = gauge;
  const { middle, across, breadth, unit, ground } = layout;
  const key = `tower${gauge.key}`;
  const isOver = value > limit;
  const state = isOver ? "over" : value === limit ? "complete" : "";
  const kind = `tower seat${seat} ${state}`;
  const tower = renderer.target(parent, key, says, {
    class: kind,
    at: [middle, ground],
    name: gauge.label,
    does: gauge.does ?? says,
    ...gauge.placeState(),
  });
  // The whole column is a target, except for the numbers of the ruler.
  const half = Math.min(breadth * 0.72, across / 2 - 22);
  const reach = { x: -half, y: -(ground - 6), width: 2 * half, height: ground - 2, rx: 10 };
  const base = { x: -breadth * 0.6, y: -5, width: breadth * 1.2, height: 11, rx: 2 };
  const goal = { x: -breadth / 2, y: -limit * unit, width: breadth, height: limit * unit };
  renderer.draw(tower, `${key}/reach`, "rect", { ...reach, class: "touch-area halo" });
  renderer.draw(tower, `${key}/base`, "rect", { ...base, class: "plinth" });
  renderer.draw(tower, `${key}/ghost`, "rect", { ...goal, class: "ghost" });
  drawBlocks(renderer, tower, gauge, layout);
  if (isOver) drawCrack(renderer, tower, gauge, layout);
  else if (value > 0) drawCrown(renderer, tower, gauge, layout);
  renderer.seatMark(tower, `${key}/sign`, seat, [0, 17], 4.5);
  const name = gauge.label;
  renderer.text(tower, `${key}/label`, [0, 38], name, "on-soil small", { room: across });
  renderer.text(tower, `${key}/value`, [0, 55], IN_WORDS.of(value, limit), "on-soil number");
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} tower
 * @param {Keyed<Gauge>} gauge
 * @param {Layout} layout
 */
function drawBlocks(renderer, tower, gauge, layout) {
  const { key, value, seat } = gauge;
  const { breadth, unit, perBlock } = layout;
  const height = breakHeight(gauge, layout);
  for (let n = 0; n < Math.ceil(value / perBlock); n += 1) {
    const blockKey = `tower${key}/${n}`;
    const tall = Math.min(perBlock, value - n * perBlock) * unit;
    const top = n * perBlock * unit + tall;
    const isAboveBreak = top > height + 0.5;
    const at = isAboveBreak ? leaning(top - height, breadth / 2, height) : [0, -top];
    const block = renderer.group(tower, blockKey, {
      class: `piece block ${isAboveBreak ? "falling" : ""}`,
    });
    const rest = isAboveBreak ? `translate(0px, ${-top}px)` : null;
    const moved = renderer.group(block, `${blockKey}/at`, {
      class: "moved",
      at,
      "data-rest": rest,
    });
    const size = { x: -breadth / 2, y: 0.75, width: breadth, height: Math.max(tall - 1.5, 1) };
    const face = { ...size, rx: 1.5, class: "face" };
    renderer.seatShape(moved, `${blockKey}/face`, "rect", seat, face);
    const joints = n % 2 ? [0] : [-breadth / 4, breadth / 4];
    const d = joints.map((x) => `M${x} 1V${tall - 1}`).join("");
    renderer.draw(moved, `${blockKey}/joint`, "path", { d, class: "joint" });
  }
}

/**
 * Return the height of the break of a tower, in pixels; the part above it leans.
 *
 * @param {Gauge} gauge
 * @param {Layout} layout
 */
function breakHeight({ value, limit }, { unit, perBlock }) {
  return value > limit ? Math.floor((limit * BREAK_SHARE) / perBlock) * perBlock * unit : Infinity;
}

/**
 * Return the place of a block above the break, which leans over the edge of the part below.
 *
 * @param {number} above how far above the break it was
 * @param {number} edge
 * @param {number} height of the break
 */
function leaning(above, edge, height) {
  const angle = (LEAN_DEGREES * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return [edge * (1 - cos) + above * sin, -height - edge * sin - above * cos, LEAN_DEGREES];
}

/**
 * Draw the battlements, and a flag if the tower is complete.
 *
 * @param {SvgRenderer} renderer
 * @param {SVGElement} tower
 * @param {Keyed<Gauge>} gauge
 * @param {Layout} layout
 */
function drawCrown(renderer, tower, { key: number, value, limit, seat }, { breadth, unit }) {
  const key = `tower${number}`;
  const tooth = breadth / 7;
  let teeth = `M${-breadth / 2} 0V-8`;
  for (let n = 0; n < 7; n += 1) teeth += n % 2 ? `v5h${tooth}v-5` : `h${tooth}`;
  const at = [0, -value * unit];
  const crown = renderer.group(tower, `${key}/crown`, { class: "crown", at });
  renderer.seatShape(crown, `${key}/teeth`, "path", seat, { d: `${teeth}V0z`, class: "face" });
  if (value !== limit) return;
  renderer.draw(crown, `${key}/pole`, "path", { d: "M0 -8V-34", class: "pole" });
  renderer.seatShape(crown, `${key}/cloth`, "path", seat, { d: "M0 -34H26L21 -27L26 -20H0z" });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} tower
 * @param {Keyed<Gauge>} gauge
 * @param {Layout} layout
 */
function drawCrack(renderer, tower, gauge, layout) {
  const { value, limit } = gauge;
  const key = `tower${gauge.key}`;
  const height = breakHeight(gauge, layout);
  const [u, x] = [height / 10, -layout.breadth * 0.1];
  const d = `M${x} 0l7 ${u * 2}l-11 ${u * 1.6}l9 ${u * 2}l-6 ${u * 1.8}`;
  renderer.draw(tower, `${key}/crack`, "path", { d, at: [0, -height], class: "crack" });
  const words = `${value - limit} too many`;
  renderer.text(tower, `${key}/over`, [0, -height * 0.35], words, "warning");
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {{ limit: number, width: number, ground: number, unit: number }} size
 */
function drawRuler(renderer, parent, { limit, width, ground, unit }) {
  const middle = width / 2;
  const y = (/** @type {number} */ value) => ground - value * unit;
  const step = STEPS.find((size) => limit / size <= 5) ?? limit;
  let d = `M${middle} ${ground}V${y(limit)}`;
  for (let n = step; n < limit; n += step) {
    d += `M${middle - 5} ${y(n)}h10`;
    renderer.text(parent, `tick${n}`, [middle + 9, y(n) + 4], n, "tick", { anchor: "start" });
  }
  const plate = { x: middle - 19, y: y(limit) - 13, width: 38, height: 26, rx: 5 };
  const line = `M10 ${y(limit)}H${width - 10}`;
  renderer.draw(parent, "ruler", "path", { d, class: "ruler" });
  renderer.draw(parent, "limit", "path", { d: line, class: "limit" });
  renderer.draw(parent, "limit/plate", "rect", { ...plate, class: "plate" });
  renderer.text(parent, "limit/text", [middle, y(limit) + 6], limit, "on-plate number");
}
