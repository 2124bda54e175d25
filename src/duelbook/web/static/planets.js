// Planets in the night, and the ships of each fleet below them.

/** @import { Seat, Slot, Slots } from "./protocol.js" */
/** @import { Keyed } from "./picture.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */

const HULL = "M0 -22C8 -14 10 -4 9 6L17 15L6 13H-6L-17 15L-9 6C-10 -4 -8 -14 0 -22z";
const RINGED = 2; // which of the four kinds of planets has a ring

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Slots>[]} rows
 * @param {number} width
 */
export function planets(renderer, parent, rows, width) {
  const narrow = width < 560;
  const systems = rows.filter(({ form }) => form === "planets");
  const fleets = rows.filter(({ form }) => form === "ships");
  const space = narrow ? 138 : 180;
  const dock = narrow ? 94 : 100;
  const inRow = narrow ? 1 : 2;
  const height = systems.length * space + Math.ceil(fleets.length / inRow) * dock + 8;
  renderer.draw(parent, "night", "rect", { width, height, rx: 14, class: "night" });
  renderer.draw(parent, "stars", "path", { d: stars(width, height), class: "stars" });
  systems.forEach((row, at) => {
    const band = renderer.group(parent, `planets${row.key}`, { at: [0, at * space] });
    drawSystem(renderer, band, row, { width, space, narrow });
  });
  fleets.forEach((fleet, at) => {
    const across = width / inRow;
    const y = systems.length * space + Math.floor(at / inRow) * dock;
    const box = renderer.group(parent, `fleet${fleet.key}`, { at: [(at % inRow) * across, y] });
    drawFleet(renderer, box, fleet, { width: across, narrow });
  });
  renderer.frameLine(parent, "edge", width, height);
  return height;
}

/**
 * The same stars for the same size.
 *
 * @param {number} width
 * @param {number} height
 */
function stars(width, height) {
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  let d = "";
  for (let n = 0; n < width / 7; n += 1) {
    const size = 0.4 + random() * random() * 1.3;
    const x = (random() * (width - 12) + 6).toFixed(1);
    const y = (random() * (height - 12) + 6).toFixed(1);
    d += `M${x} ${y}${circle(size)}`;
  }
  return d;
}

/**
 * A circle around the point that a path has reached.
 *
 * @param {number} r
 */
function circle(r) {
  return `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Slots>} row
 * @param {{ width: number, space: number, narrow: boolean }} size
 */
function drawSystem(renderer, parent, { key, label, slots }, { width, space, narrow }) {
  const [small, large] = narrow ? [11, 22] : [17, 40];
  const last = Math.max(slots.length - 1, 1);
  const radius = (/** @type {number} */ at) => small + ((large - small) * at) / last;
  const padding = narrow ? 18 : 34;
  const taken = slots.reduce((sum, _, at) => sum + 2 * radius(at), 0);
  const gap = (width - 2 * padding - taken) / last;
  const name = renderer.withNames(label);
  renderer.text(parent, `${key}/label`, [16, 24], name, "onnight small", { anchor: "start" });
  const orbit = `M0 ${space * 0.86}Q${width / 2} ${space * 0.3} ${width} ${space * 0.7}`;
  renderer.draw(parent, `${key}/arc`, "path", { d: orbit, class: "orbit" });
  let x = padding;
  slots.forEach((slot, at) => {
    const r = radius(at);
    x += r;
    const t = x / width;
    const y = space * ((1 - t) ** 2 * 0.86 + 2 * t * (1 - t) * 0.3 + t ** 2 * 0.7);
    drawPlanet(renderer, parent, slot, { key: `${key}/${at}`, kind: at % 4, place: [x, y], r });
    x += r + gap;
  });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Slot} slot
 * @param {{ key: string, kind: number, place: [number, number], r: number }} planet
 */
function drawPlanet(renderer, parent, { name, seat, says, spent }, { key, kind, place, r }) {
  const owner = seat === undefined ? "free" : `seat${seat} owned`;
  const state = `planet tint${kind} ${owner} ${spent ? "spent" : ""}`;
  const ball = renderer.target(parent, key, says, { class: state, at: place });
  const [ringX, ringY] = [r * 1.42, r * 0.34];
  const arc = `A${ringX} ${r * 0.5} -14 0 1`;
  const back = `M${-ringX} ${ringY}${arc} ${ringX} ${-ringY}`;
  const front = `M${ringX} ${-ringY}${arc} ${-ringX} ${ringY}`;
  const shine = { r, class: "shine", fill: `url(#${renderer.ids.shine})` };
  const hasRing = kind === RINGED;
  renderer.draw(ball, `${key}/halo`, "circle", { r: r + 6, class: "halo ring" });
  if (hasRing) renderer.draw(ball, `${key}/back`, "path", { d: back, class: "hoop" });
  renderer.seatShape(ball, `${key}/ball`, "circle", seat, { r, class: "globe" });
  renderer.draw(ball, `${key}/surface`, "path", { d: surface(kind, r), class: "surface" });
  renderer.draw(ball, `${key}/shine`, "circle", shine);
  if (hasRing) renderer.draw(ball, `${key}/front`, "path", { d: front, class: "hoop" });
  renderer.draw(ball, `${key}/disc`, "circle", { r: Math.min(r * 0.72, 13), class: "badge" });
  renderer.text(ball, `${key}/name`, [0, 5], name, "onglobe number");
  if (seat !== undefined) drawFlag(renderer, ball, key, seat, r);
}

/**
 * Craters, bands, nothing or a cap of ice.
 *
 * @param {number} kind
 * @param {number} r
 */
function surface(kind, r) {
  const arc = `A${r} ${r} 0 0 1`;
  const crater = `M${-r * 0.5} ${-r * 0.45}${circle(r * 0.2)}`;
  const other = `M${r * 0.5} ${r * 0.4}${circle(r * 0.16)}`;
  const upper = [
    `M${-r * 0.86} ${-r * 0.5}H${r * 0.86}${arc} ${r * 0.96} ${-r * 0.25}`,
    `H${-r * 0.96}${arc} ${-r * 0.86} ${-r * 0.5}z`,
  ];
  const lower = [
    `M${-r * 0.9} ${r * 0.42}H${r * 0.9}${arc} ${r * 0.72} ${r * 0.7}`,
    `H${-r * 0.72}${arc} ${-r * 0.9} ${r * 0.42}z`,
  ];
  const x = r * 0.7;
  const ice = `M${-x} ${-x}${arc} ${x} ${-x}Q0 ${-r * 0.4} ${-x} ${-x}z`;
  return [crater + other, [...upper, ...lower].join(""), "", ice][kind];
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} ball
 * @param {string} key
 * @param {Seat} seat
 * @param {number} r
 */
function drawFlag(renderer, ball, key, seat, r) {
  const transform = `translate(0 ${-r})`;
  const flag = renderer.group(ball, `${key}/flag`, { class: "piece", transform });
  renderer.draw(flag, `${key}/pole`, "path", { d: "M0 2V-22", class: "pole light" });
  renderer.seatShape(flag, `${key}/cloth`, "path", seat, { d: "M0 -22H20L16 -15L20 -8H0z" });
  renderer.seatMark(flag, `${key}/sign`, seat, [7.5, -15], 3.2, "pale");
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Slots>} fleet
 * @param {{ width: number, narrow: boolean }} size
 */
function drawFleet(renderer, parent, { key, label, slots, seat }, { width, narrow }) {
  const padding = narrow ? 14 : 22;
  const step = (width - 2 * padding) / Math.max(slots.length, 1);
  const name = renderer.withNames(label);
  const fit = { anchor: "start", room: width - 60 };
  renderer.seatMark(parent, `${key}/sign`, seat, [padding + 5, 15], 5);
  renderer.text(parent, `${key}/label`, [padding + 18, 20], name, "onnight small", fit);
  slots.forEach((slot, at) => {
    const scale = 0.78 + (0.4 * at) / Math.max(slots.length - 1, 1);
    const x = padding + step * (at + 0.5);
    drawShip(renderer, parent, slot, { key: `${key}/${at}`, seat, x, step, scale });
  });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Slot} slot
 * @param {{ key: string, seat?: Seat, x: number, step: number, scale: number }} ship
 */
function drawShip(renderer, parent, { name, spent, says }, { key, seat, x, step, scale }) {
  const state = `ship seat${seat} ${spent ? "spent" : ""}`;
  const ship = renderer.target(parent, key, says, { class: state, at: [x, 56] });
  const reach = { x: -step / 2 + 2, y: -30, width: step - 4, height: 60, rx: 8 };
  renderer.draw(ship, `${key}/halo`, "rect", { ...reach, class: "halo reach" });
  const body = renderer.group(ship, `${key}/body`, {
    class: "hull",
    transform: `scale(${scale})`,
  });
  renderer.draw(body, `${key}/flame`, "path", { d: "M-4 13Q0 26 4 13z", class: "flame" });
  renderer.seatShape(body, `${key}/hull`, "path", seat, { d: HULL, class: "plates" });
  renderer.draw(ship, `${key}/badge`, "circle", { cy: 0, r: 9.5, class: "badge" });
  renderer.text(ship, `${key}/name`, [0, 5], name, "onglobe small");
}
