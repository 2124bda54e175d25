// A track of numbered places, with a unit and a base for each seat.

/** @import { Seat, Track } from "./protocol.js" */
/** @import { Keyed } from "./picture.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */
/** @typedef {(cell: number) => [number, number]} Place */

const GAP = 10;
const WALLS = "M-22 6V-26h7v5h6v-5h6v5h6v-5h6v5h6v-5h7V6z";
const COAT = "M-12 0C-11 -6 -6 -9 -5 -20H5C6 -9 11 -6 12 0C8 3 -8 3 -12 0z";
const HEADS = ["M-9 -27a9 9 0 1 0 18 0a9 9 0 1 0 -18 0z", "M0 -39L11 -27L0 -15L-11 -27z"];

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Track>[]} tracks
 * @param {number} width
 */
export function track(renderer, parent, tracks, width) {
  let top = 0;
  for (const one of tracks) {
    const band = renderer.group(parent, `track${one.key}`, { at: [0, top] });
    top += drawTrack(renderer, band, one, width) + GAP;
  }
  return top - GAP;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Track>} track
 * @param {number} width
 */
function drawTrack(renderer, parent, { key, last, units, bases, says = [] }, width) {
  const height = Math.min(Math.max(width * 0.4, 200), 260);
  const margin = Math.max(24, width * 0.065);
  const step = (width - 2 * margin) / Math.max(last, 1);
  const r = Math.min(20, step * 0.45);
  /** @type {Place} */
  const place = (cell) => {
    const bend = Math.sin((cell / Math.max(last, 1)) * Math.PI * 2 + 0.5);
    return [margin + cell * step, height * 0.64 + bend * height * 0.07];
  };
  drawLandscape(renderer, parent, `${key}`, width, height);
  drawPath(renderer, parent, `${key}`, { last, place, width: r * 2.3 });
  bases.forEach((cell, seat) => {
    const [x, y] = place(cell);
    const at = { x, y: y - r * 0.9, scale: Math.min(1, step / 34) };
    drawCastle(renderer, parent, `${key}/castle${seat}`, seat, at);
  });
  for (let cell = 0; cell <= last; cell += 1) {
    const stone = { cell, says: says[cell], at: place(cell), r, step };
    drawStone(renderer, parent, `${key}/cell${cell}`, stone);
  }
  units.forEach((cell, seat) => {
    const [x, y] = place(cell);
    const aside = units[0] === units[1] ? [-8, 8][seat] : 0;
    const scale = Math.min(1.1, Math.max(step / 32, 0.75));
    const at = { x: x + aside, y: y + r * 0.35, scale };
    drawUnit(renderer, parent, `${key}/unit${seat}`, seat, at);
  });
  renderer.frameLine(parent, `${key}/edge`, width, height);
  return height;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {string} key
 * @param {number} w
 * @param {number} h
 */
function drawLandscape(renderer, parent, key, w, h) {
  const far = [
    `M0 ${h * 0.5}C${w * 0.15} ${h * 0.3} ${w * 0.25} ${h * 0.34} ${w * 0.38} ${h * 0.45}`,
    `C${w * 0.5} ${h * 0.3} ${w * 0.66} ${h * 0.26} ${w * 0.78} ${h * 0.42}`,
    `C${w * 0.88} ${h * 0.34} ${w * 0.95} ${h * 0.36} ${w} ${h * 0.42}V${h * 0.7}H0z`,
  ];
  const near = [
    `M0 ${h * 0.55}C${w * 0.3} ${h * 0.44} ${w * 0.6} ${h * 0.58} ${w} ${h * 0.5}`,
    `V${h - 14}a14 14 0 0 1 -14 14H14a14 14 0 0 1 -14 -14z`,
  ];
  const sun = { cx: w * 0.5, cy: h * 0.22, r: h * 0.075 };
  renderer.draw(parent, `${key}/air`, "rect", { width: w, height: h, rx: 14, class: "air" });
  renderer.draw(parent, `${key}/sun`, "circle", { ...sun, class: "sun" });
  renderer.draw(parent, `${key}/far`, "path", { d: far.join(""), class: "hills" });
  renderer.draw(parent, `${key}/meadow`, "path", { d: near.join(""), class: "meadow" });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {string} key
 * @param {{ last: number, place: Place, width: number }} path
 */
function drawPath(renderer, parent, key, { last, place, width }) {
  const cells = [...Array(last + 1).keys()];
  const points = cells.map((cell) =>
    place(cell)
      .map((n) => n.toFixed(1))
      .join(" "),
  );
  const d = `M${points.join("L")}`;
  const verge = { d, class: "verge", "stroke-width": width + 6 };
  renderer.draw(parent, `${key}/verge`, "path", verge);
  renderer.draw(parent, `${key}/path`, "path", { d, class: "track", "stroke-width": width });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {string} key
 * @param {{ cell: number, says?: string, at: [number, number], r: number, step: number }} stone
 */
function drawStone(renderer, parent, key, { cell, says, at, r, step }) {
  const stone = renderer.target(parent, key, says, { class: "stone", at });
  const reach = { x: -step / 2, y: -30, width: step, height: 74, class: "reach" };
  renderer.draw(stone, `${key}/reach`, "rect", reach);
  renderer.draw(stone, `${key}/face`, "circle", { r, class: "stone-face halo" });
  renderer.text(stone, `${key}/name`, [0, r + 17], cell, "onmeadow small");
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {string} key
 * @param {Seat} seat
 * @param {{ x: number, y: number, scale: number }} place
 */
function drawCastle(renderer, parent, key, seat, { x, y, scale }) {
  const box = renderer.group(parent, key, { transform: `translate(${x} ${y}) scale(${scale})` });
  const gate = { d: "M-6 6v-10a6 6 0 0 1 12 0V6z", class: "gate" };
  renderer.seatShape(box, `${key}/walls`, "path", seat, { d: WALLS, class: "face" });
  renderer.draw(box, `${key}/gate`, "path", gate);
  renderer.draw(box, `${key}/pole`, "path", { d: "M0 -22V-52", class: "pole" });
  renderer.seatShape(box, `${key}/cloth`, "path", seat, { d: "M0 -52H22L17 -45L22 -38H0z" });
  renderer.seatMark(box, `${key}/sign`, seat, [8, -45], 3.5, "pale");
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {string} key
 * @param {Seat} seat
 * @param {{ x: number, y: number, scale: number }} place
 */
function drawUnit(renderer, parent, key, seat, { x, y, scale }) {
  const unit = renderer.group(parent, key, { class: "unit", at: [x, y] });
  const body = renderer.group(unit, `${key}/body`, { transform: `scale(${scale})` });
  renderer.draw(body, `${key}/shadow`, "ellipse", { rx: 13, ry: 4, class: "shadow" });
  renderer.seatShape(body, `${key}/coat`, "path", seat, { d: COAT, class: "figure" });
  renderer.seatShape(body, `${key}/head`, "path", seat, { d: HEADS[seat], class: "figure" });
}
