// The drawing of islands in a sea.

import { ACTIONS_HEIGHT, drawActions } from "./action_labels.js";
import { clamp, disc } from "./svg_renderer.js";

/** @import { Gauge, Stack } from "./protocol.js" */
/** @import { Keyed } from "./picture.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */
/**
 * The water level, and the available room.
 *
 * @typedef {{
 *   width: number, height: number, floor: number, level: number, lowest: number, narrow: boolean,
 * }} Layout
 */

const LEAF =
  "M9 -26C2 -36 -8 -34 -12 -26C-6 -30 2 -30 9 -26C4 -30 -4 -24 -5 -16C-1 -22 4 -25 9 -26" +
  "C16 -36 26 -33 29 -24C23 -29 16 -29 9 -26C15 -28 21 -22 21 -14C18 -20 14 -24 9 -26z";
const TRUNK = "M-2 2C0 -10 2 -18 8 -26L11 -25C6 -16 4 -8 3 2z";
const CLOUD = "M0 20a10 10 0 0 1 8-16a16 16 0 0 1 30-3a13 13 0 0 1 22 8a8 8 0 0 1 2 11z";

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Gauge | Stack>[]} shapes
 * @param {number} width
 * @param {number} [room] the available height
 */
export function islands(renderer, parent, shapes, width, room) {
  const gauges = shapes.filter((shape) => shape.shape === "gauge");
  const sea = shapes.find((shape) => shape.shape === "stack");
  const size = [width, room ?? clamp(width * 0.52, 250, 340)];
  const layout = layOut(size, sea, renderer.isInteractive);
  const { height } = layout;
  const clipId = `${renderer.ids.hatch}-frame`;
  const clip = renderer.draw(parent, "clip", "clipPath", { id: clipId });
  renderer.draw(clip, "clip/frame", "rect", { width, height, rx: 14 });
  const view = renderer.group(parent, "view", { "clip-path": `url(#${clipId})` });
  drawSky(renderer, view, layout);
  gauges.forEach((gauge, at) => {
    const middle = (width * (2 * at + 1)) / (2 * gauges.length);
    const reach = Math.min(width / gauges.length / 2.25, 190);
    drawIsland(renderer, view, gauge, { middle, reach, layout });
  });
  drawWater(renderer, view, sea, layout);
  gauges.forEach((gauge, at) => {
    const { key, label, value, limit } = gauge;
    const middle = (width * (2 * at + 1)) / (2 * gauges.length);
    const kind = layout.narrow ? "small" : "number";
    const words = `${label} ${value}/${limit}`;
    const fit = { room: width / gauges.length - 12 };
    renderer.text(view, `name${key}`, [middle, 21], words, `on-sky ${kind}`, fit);
  });
  if (sea) {
    const y = height - ACTIONS_HEIGHT - 4;
    drawActions(renderer, parent, sea, { x: width / 2, y, room: width - 16, isOnWater: true });
  }
  renderer.frameLine(parent, "edge", width, height);
  return height;
}

/**
 * Return the layout. The height of the sea in the picture shows its count as a share of its limit.
 *
 * @param {number[]} size
 * @param {Stack | undefined} sea
 * @param {boolean} isInteractive
 * @returns {Layout}
 */
function layOut([width, height], sea, isInteractive) {
  const narrow = width < 480;
  const floor = isInteractive ? ACTIONS_HEIGHT + 22 : 44;
  const depth = sea?.count ?? 1;
  const deepest = Math.max(sea?.limit ?? depth, 1);
  const unit = (height * 0.24) / deepest;
  const level = height - floor - Math.min(depth, deepest) * unit;
  return { width, height, floor, level, lowest: height - floor - unit, narrow };
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} view
 * @param {Layout} layout
 */
function drawSky(renderer, view, { width, height, level }) {
  const sunAt = [width / 2, height * 0.24];
  renderer.draw(view, "sky", "rect", { width, height, rx: 14, class: "sky" });
  renderer.draw(view, "sun", "path", { d: disc(height * 0.075), at: sunAt, class: "sun" });
  drawCloud(renderer, view, "cloud1", [width * 0.08, height * 0.2], height / 300);
  drawCloud(renderer, view, "cloud2", [width * 0.83, height * 0.13], height / 380);
  const d = waves(width, height, 7, 70);
  renderer.draw(view, "far", "path", { d, at: [0, level - 5], class: "sea far" });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} view
 * @param {string} key
 * @param {[number, number]} place
 * @param {number} size
 */
function drawCloud(renderer, view, key, [x, y], size) {
  const transform = `translate(${x} ${y}) scale(${size})`;
  renderer.draw(view, key, "path", { d: CLOUD, transform, class: "cloud" });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} view
 * @param {Keyed<Stack> | undefined} sea
 * @param {Layout} layout
 */
function drawWater(renderer, view, sea, { width, height, floor, level }) {
  const labels = { name: sea?.label, does: sea?.does ?? sea?.says };
  const water = renderer.target(view, "water", sea?.says, { ...labels, ...sea?.placeState() });
  const near = { d: waves(width, height, 5, 46), at: [0, level] };
  const nearer = { d: waves(width, height, 6, 90), at: [-20, level + 22] };
  renderer.draw(water, "near", "path", { ...near, class: "sea near halo" });
  renderer.draw(water, "nearer", "path", { ...nearer, class: "sea nearer" });
  if (!sea) return;
  const does = renderer.canSelect(sea.says ?? "") && sea.does ? `, ${sea.does}` : "";
  const words = `${sea.label} ${sea.count ?? "?"}${does}`;
  const y = height - floor + 30;
  renderer.text(water, "sea/label", [width / 2, y], words, "on-sea number", { room: width - 20 });
}

/**
 * Draw an island; its height above the sea shows its value.
 *
 * @param {SvgRenderer} renderer
 * @param {SVGElement} view
 * @param {Keyed<Gauge>} gauge
 * @param {{ middle: number, reach: number, layout: Layout }} place
 */
function drawIsland(renderer, view, gauge, { middle, reach, layout }) {
  const { seat, says, value, limit } = gauge;
  const { height, level, lowest } = layout;
  const key = `land${gauge.key}`;
  const isSunk = value <= 0;
  const unit = (lowest - Math.min(74, lowest * 0.6)) / limit;
  const peak = level + (isSunk ? 26 : 0) - Math.min(value, limit) * unit;
  const land = renderer.target(view, key, says, {
    class: `land seat${seat}`,
    at: [middle, peak],
    ...gauge.placeState(),
  });
  const [r, h] = [reach, height * 0.95];
  drawHill(renderer, land, key, r, h);
  const large = Math.max(height / 330, 0.75);
  drawPalm(renderer, land, `${key}/palm1`, [-r * 0.34, h * 0.2], [-large, large]);
  const small = Math.max(height / 400, 0.62);
  drawPalm(renderer, land, `${key}/palm2`, [r * 0.36, h * 0.22], [small, small]);
  const smallest = Math.max(height / 420, 0.6);
  drawPalm(renderer, land, `${key}/palm3`, [-r * 0.6, h * 0.41], [smallest, smallest]);
  const flag = renderer.group(land, `${key}/flag`, {
    class: "flagstaff",
    at: [0, 3, isSunk ? -24 : 0],
  });
  renderer.draw(flag, `${key}/pole`, "path", { d: "M0 0V-40", class: "pole" });
  renderer.seatShape(flag, `${key}/cloth`, "path", seat, { d: "M0 -40H30L24 -30L30 -20H0z" });
  renderer.seatMark(flag, `${key}/sign`, seat, [11, -30], 4.5, "pale");
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} land
 * @param {string} key
 * @param {number} r
 * @param {number} h
 */
function drawHill(renderer, land, key, r, h) {
  const left = [
    `M${-r} ${h}`,
    `C${-r * 0.92} ${h * 0.72} ${-r * 0.8} ${h * 0.62} ${-r * 0.66} ${h * 0.46}`,
    `C${-r * 0.56} ${h * 0.34} ${-r * 0.42} ${h * 0.3} ${-r * 0.32} ${h * 0.17}`,
    `C${-r * 0.24} ${h * 0.06} ${-r * 0.14} 0 0 0`,
  ];
  const right = [
    `C${r * 0.12} 0 ${r * 0.16} ${h * 0.1} ${r * 0.28} ${h * 0.16}`,
    `C${r * 0.46} ${h * 0.25} ${r * 0.5} ${h * 0.4} ${r * 0.68} ${h * 0.5}`,
    `C${r * 0.84} ${h * 0.6} ${r * 0.94} ${h * 0.8} ${r} ${h}`,
  ];
  const back = [
    `L${r * 0.1} ${h}`,
    `C${r * 0.2} ${h * 0.7} ${-r * 0.1} ${h * 0.55} ${r * 0.02} ${h * 0.35}`,
    `C${r * 0.08} ${h * 0.2} ${-r * 0.08} ${h * 0.12} 0 0z`,
  ];
  const hill = [...left, ...right, "z"].join("");
  const shade = ["M0 0", ...right, ...back].join("");
  renderer.draw(land, `${key}/hill`, "path", { d: hill, class: "hill" });
  renderer.draw(land, `${key}/shade`, "path", { d: shade, class: "hill-shade" });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} land
 * @param {string} key
 * @param {[number, number]} place
 * @param {[number, number]} scale
 */
function drawPalm(renderer, land, key, [x, y], [across, up]) {
  const transform = `translate(${x} ${y}) scale(${across} ${up})`;
  const tree = renderer.group(land, key, { transform });
  renderer.draw(tree, `${key}/trunk`, "path", { d: TRUNK, class: "trunk" });
  renderer.draw(tree, `${key}/leaves`, "path", { d: LEAF, class: "leaves" });
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} high
 * @param {number} long
 */
function waves(width, height, high, long) {
  const count = Math.ceil((width + 3 * long) / long);
  const wave = `q${long / 4} ${-high} ${long / 2} 0t${long / 2} 0`;
  return `M${-long} 0${wave.repeat(count)}V${height}H${-long}z`;
}
