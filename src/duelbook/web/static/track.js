// The drawing of a track of numbered cells, with a unit and a base for each seat.

import { clamp } from "./svg_renderer.js";

/** @import { Seat, Track } from "./protocol.js" */
/** @import { PlaceState, Keyed } from "./picture.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */
/** @typedef {(cell: number) => [number, number]} Place */

const GAP = 10;
const TARGET = 44; // minimum size of a touch target
const WALLS = "M-22 6V-26h7v5h6v-5h6v5h6v-5h6v5h6v-5h7V6z";
const COAT = "M-12 0C-11 -6 -6 -9 -5 -20H5C6 -9 11 -6 12 0C8 3 -8 3 -12 0z";
const HEADS = ["M-9 -27a9 9 0 1 0 18 0a9 9 0 1 0 -18 0z", "M0 -39L11 -27L0 -15L-11 -27z"];

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Track>[]} tracks
 * @param {number} width
 * @param {number} [room] the available height
 */
export function track(renderer, parent, tracks, width, room) {
  const share = room === undefined ? undefined : (room + GAP) / tracks.length - GAP;
  let top = 0;
  for (const item of tracks) {
    const band = renderer.group(parent, `track${item.key}`, { at: [0, top] });
    top += drawTrack(renderer, band, item, width, share) + GAP;
  }
  return top - GAP;
}

/**
 * Return the places of the cells of a track, and the distance between them. A track that is too
 * long for its width continues in the row above.
 *
 * @param {number} last
 * @param {number} width
 * @param {number} height
 * @returns {{ place: Place, step: number, rows: number }}
 */
export function wind(last, width, height) {
  const margin = Math.max(36, width * 0.065);
  const fitting = Math.max(2, Math.floor((width - 2 * margin) / TARGET) + 1);
  const rows = Math.max(1, Math.min(Math.ceil((last + 1) / fitting), Math.floor(height / 90)));
  const inRow = Math.ceil((last + 1) / rows);
  const step = (width - 2 * margin) / Math.max(inRow - 1, 1);
  const [highest, lowest] = rows > 1 ? [height * 0.4, height - 56] : [0, height * 0.64];
  const rise = (lowest - highest) / Math.max(rows - 1, 1);
  const bend = (rows > 1 ? 0.03 : 0.07) * height;
  /** @type {Place} */
  const place = (cell) => {
    const row = Math.floor(cell / inRow);
    const at = row % 2 ? inRow - 1 - (cell % inRow) : cell % inRow;
    const wave = Math.sin((at / Math.max(inRow - 1, 1)) * Math.PI * 2 + 0.5);
    return [margin + at * step, lowest - row * rise + wave * bend];
  };
  return { place, step, rows };
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Track>} track
 * @param {number} width
 * @param {number} [room]
 */
function drawTrack(renderer, parent, track, width, room) {
  const { key, last, units, bases, says = [], does = [], placeState } = track;
  const height = room ?? clamp(width * 0.4, 230, 260);
  const { place, step, rows } = wind(last, width, height);
  const r = Math.min(height * 0.08, step * 0.45, 34);
  drawLandscape(renderer, parent, `${key}`, { w: width, h: height, rows });
  drawPath(renderer, parent, `${key}`, { last, place, width: r * 2.3 });
  bases.forEach((cell, seat) => {
    const [x, y] = place(cell);
    const at = { x, y: y - r * 0.9, scale: clamp(step / 44, 0.7, height / 260) };
    drawCastle(renderer, parent, `${key}/castle${seat}`, seat, at);
  });
  for (let cell = 0; cell <= last; cell += 1) {
    const words = { says: says[cell], does: does[cell] };
    // The labels of neighbours alternate below and above, unless a unit is in the way.
    const isAbove = cell % 2 === 0 && !units.includes(cell);
    const stone = { cell, ...words, at: place(cell), r, step, isAbove, ...placeState(cell) };
    drawStone(renderer, parent, `${key}/cell${cell}`, stone);
  }
  units.forEach((cell, seat) => {
    const [x, y] = place(cell);
    const aside = units[0] === units[1] ? [-8, 8][seat] : 0;
    const scale = clamp(r / 16, 0.75, 2);
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
 * @param {{ w: number, h: number, rows: number }} size
 */
function drawLandscape(renderer, parent, key, { w, h, rows }) {
  const horizon = h * (rows > 1 ? 0.3 : 0.55);
  const far = [
    `M0 ${h * 0.5}C${w * 0.15} ${h * 0.3} ${w * 0.25} ${h * 0.34} ${w * 0.38} ${h * 0.45}`,
    `C${w * 0.5} ${h * 0.3} ${w * 0.66} ${h * 0.26} ${w * 0.78} ${h * 0.42}`,
    `C${w * 0.88} ${h * 0.34} ${w * 0.95} ${h * 0.36} ${w} ${h * 0.42}V${h * 0.7}H0z`,
  ];
  const near = [
    `M0 ${horizon}C${w * 0.3} ${horizon - h * 0.11} ${w * 0.6} ${horizon + h * 0.03}`,
    ` ${w} ${horizon - h * 0.05}`,
    `V${h - 14}a14 14 0 0 1 -14 14H14a14 14 0 0 1 -14 -14z`,
  ];
  const sun = { cx: w * 0.5, cy: h * 0.22, r: h * 0.075 };
  renderer.draw(parent, `${key}/air`, "rect", { width: w, height: h, rx: 14, class: "sky" });
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
 * @param {PlaceState & {
 *   cell: number, says?: string, does?: string, at: [number, number], r: number, step: number,
 *   isAbove: boolean,
 * }} stone
 */
function drawStone(
  renderer,
  parent,
  key,
  { cell, says, does, at, r, step, isAbove, ...placeState },
) {
  const labels = { name: `${cell}`, does };
  const stone = renderer.target(parent, key, says, {
    class: "stone",
    at,
    ...labels,
    ...placeState,
  });
  const high = Math.max(TARGET, 2 * r + 16);
  const reach = { x: -step / 2, y: -high / 2, width: step, height: high, class: "touch-area" };
  renderer.draw(stone, `${key}/reach`, "rect", reach);
  renderer.draw(stone, `${key}/face`, "circle", { r, class: "stone-face halo" });
  renderer.text(stone, `${key}/name`, [0, 5], cell, "on-stone small");
  if (does && says && renderer.canSelect(says)) {
    const y = isAbove ? -r - 7 : r + 15;
    renderer.text(stone, `${key}/does`, [0, y], does, "small stone-text", { room: step + 8 });
  }
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
  const unit = renderer.group(parent, key, { class: "unit", at: [x, y], "data-unit": key });
  const body = renderer.group(unit, `${key}/body`, { transform: `scale(${scale})` });
  renderer.draw(body, `${key}/shadow`, "ellipse", { rx: 13, ry: 4, class: "shadow" });
  renderer.seatShape(body, `${key}/coat`, "path", seat, { d: COAT, class: "figure" });
  renderer.seatShape(body, `${key}/head`, "path", seat, { d: HEADS[seat], class: "figure" });
}
