// The drawing of planets, and of the ships of each fleet below them.

import { rowLabel } from "./action_labels.js";
import { clamp } from "./svg_renderer.js";

/** @import { Seat, Slot, Slots } from "./protocol.js" */
/** @import { PlaceState, Keyed } from "./picture.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */

const HULL = "M0 -22C8 -14 10 -4 9 6L17 15L6 13H-6L-17 15L-9 6C-10 -4 -8 -14 0 -22z";
const RINGED_KIND = 2; // the kind of planet with a ring
const MIN_DOCK_HEIGHT = 70;
const MIN_SPACE_HEIGHT = 100;
const TARGET = 44; // minimum size of a touch target

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Slots>[]} rows
 * @param {number} width
 * @param {number} [room] the available height
 */
export function planets(renderer, parent, rows, width, room) {
  const narrow = width < 560;
  const systems = rows.filter(({ form }) => form === "planets");
  const fleets = rows.filter(({ form }) => form === "ships");
  const inRow = narrow ? 1 : 2;
  const docks = Math.ceil(fleets.length / inRow);
  const dock = clamp((room ?? 340) * 0.27, MIN_DOCK_HEIGHT, 110);
  const left = room === undefined ? (narrow ? 138 : 180) : room - docks * dock - 8;
  const space = Math.max(MIN_SPACE_HEIGHT, left / Math.max(systems.length, 1));
  const height = systems.length * space + docks * dock + 8;
  renderer.draw(parent, "night", "rect", { width, height, rx: 14, class: "night" });
  renderer.draw(parent, "stars", "path", { d: stars(width, height), class: "stars" });
  systems.forEach((row, at) => {
    const band = renderer.group(parent, `planets${row.key}`, { at: [0, at * space] });
    drawSystem(renderer, band, row, { width, space });
  });
  fleets.forEach((fleet, at) => {
    const across = width / inRow;
    const y = systems.length * space + Math.floor(at / inRow) * dock;
    const box = renderer.group(parent, `fleet${fleet.key}`, { at: [(at % inRow) * across, y] });
    drawFleet(renderer, box, fleet, { width: across, dock });
  });
  renderer.frameLine(parent, "edge", width, height);
  return height;
}

/**
 * Return the stars, which are always the same for the same size.
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
 * Return a circle around the current point of a path.
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
 * @param {{ width: number, space: number }} size
 */
function drawSystem(renderer, parent, row, { width, space }) {
  const { key, slots, placeState } = row;
  const last = Math.max(slots.length - 1, 1);
  const padding = width * 0.02;
  const step = (width - 2 * padding) / Math.max(slots.length, 1);
  const large = clamp(Math.min(step * 0.42, space * 0.2), 12, 60);
  const radius = (/** @type {number} */ at) => large * (0.5 + (0.5 * at) / last);
  const name = rowLabel(renderer, row);
  renderer.text(parent, `${key}/label`, [16, 24], name, "on-night small", { anchor: "start" });
  const orbit = `M0 ${space * 0.86}Q${width / 2} ${space * 0.3} ${width} ${space * 0.7}`;
  renderer.draw(parent, `${key}/arc`, "path", { d: orbit, class: "orbit" });
  slots.forEach((slot, at) => {
    const x = padding + step * (at + 0.5);
    const t = x / width;
    const y = space * ((1 - t) ** 2 * 0.86 + 2 * t * (1 - t) * 0.3 + t ** 2 * 0.7);
    const planet = { kind: at % 4, middle: [x, y], r: radius(at), step, ...placeState(at) };
    drawPlanet(renderer, parent, slot, `${key}/${at}`, planet);
  });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Slot} slot
 * @param {string} key
 * @param {PlaceState & { kind: number, middle: number[], r: number, step: number }} planet
 */
function drawPlanet(renderer, parent, { name, seat, says, spent }, key, planet) {
  const { kind, middle, r, step, ...placeState } = planet;
  const owner = seat === undefined ? "free" : `seat${seat} owned`;
  const state = `planet tint${kind} ${owner} ${spent ? "spent" : ""}`;
  const ball = renderer.target(parent, key, says, { class: state, at: middle, ...placeState });
  const [ringX, ringY] = [r * 1.42, r * 0.34];
  const arc = `A${ringX} ${r * 0.5} -14 0 1`;
  const back = `M${-ringX} ${ringY}${arc} ${ringX} ${-ringY}`;
  const front = `M${ringX} ${-ringY}${arc} ${-ringX} ${ringY}`;
  const shine = { r, class: "shine", fill: `url(#${renderer.ids.shine})` };
  const hasRing = kind === RINGED_KIND;
  const high = Math.max(TARGET, 2 * r + 8);
  const reach = { x: -step / 2, y: -high / 2, width: step, height: high, class: "touch-area" };
  renderer.draw(ball, `${key}/reach`, "rect", reach);
  renderer.draw(ball, `${key}/halo`, "circle", { r: r + 4, class: "halo ring" });
  if (hasRing) renderer.draw(ball, `${key}/back`, "path", { d: back, class: "planet-ring" });
  renderer.seatShape(ball, `${key}/ball`, "circle", seat, { r, class: "globe" });
  renderer.draw(ball, `${key}/surface`, "path", { d: surface(kind, r), class: "surface" });
  renderer.draw(ball, `${key}/shine`, "circle", shine);
  if (hasRing) renderer.draw(ball, `${key}/front`, "path", { d: front, class: "planet-ring" });
  renderer.draw(ball, `${key}/disc`, "circle", { r: Math.min(r * 0.72, 13), class: "badge" });
  renderer.text(ball, `${key}/name`, [0, 5], name, "on-globe number");
  if (seat !== undefined) drawFlag(renderer, ball, key, seat, r);
}

/**
 * Return the surface of a planet: craters, bands, nothing or an ice cap.
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
 * @param {{ width: number, dock: number }} size
 */
function drawFleet(renderer, parent, fleet, { width, dock }) {
  const { key, slots, seat, placeState } = fleet;
  const padding = width * 0.02;
  const step = (width - 2 * padding) / Math.max(slots.length, 1);
  const name = rowLabel(renderer, fleet);
  const fit = { anchor: "start", room: width - 60 };
  renderer.seatMark(parent, `${key}/sign`, seat, [padding + 9, 11], 5);
  renderer.text(parent, `${key}/label`, [padding + 21, 16], name, "on-night small", fit);
  slots.forEach((slot, at) => {
    const most = Math.min((dock - 24) / 44, step / 34);
    const scale = most * (0.68 + (0.32 * at) / Math.max(slots.length - 1, 1));
    const x = padding + step * (at + 0.5);
    const ship = { key: `${key}/${at}`, seat, x, step, dock, scale, ...placeState(at) };
    drawShip(renderer, parent, slot, ship);
  });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Slot} slot
 * @param {PlaceState & {
 *   key: string, seat?: Seat, x: number, step: number, dock: number, scale: number
 * }} place
 */
function drawShip(renderer, parent, { name, spent, says }, place) {
  const { key, seat, x, step, dock, scale, ...placeState } = place;
  const state = `ship seat${seat} ${spent ? "spent" : ""}`;
  const high = dock - 24;
  const at = [x, 22 + high / 2];
  const ship = renderer.target(parent, key, says, { class: state, at, ...placeState });
  const reach = { x: -step / 2 + 1, y: -high / 2, width: step - 2, height: high, rx: 8 };
  renderer.draw(ship, `${key}/halo`, "rect", { ...reach, class: "halo touch-area" });
  const body = renderer.group(ship, `${key}/body`, {
    class: "hull",
    transform: `scale(${scale})`,
  });
  renderer.draw(body, `${key}/flame`, "path", { d: "M-4 13Q0 26 4 13z", class: "flame" });
  renderer.seatShape(body, `${key}/hull`, "path", seat, { d: HULL, class: "hull-body" });
  renderer.draw(ship, `${key}/badge`, "circle", { cy: 0, r: 9.5, class: "badge" });
  renderer.text(ship, `${key}/name`, [0, 5], name, "on-globe small");
}
