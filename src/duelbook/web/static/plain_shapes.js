// The drawings of shapes without a form: piles of chips, bars, boxes, letters and lines of text.

import { drawActions, rowLabel } from "./action_labels.js";
import { IN_WORDS } from "./strings.js";
import { clamp } from "./svg_renderer.js";

/** @import { Board, Gauge, Seat, Slot, Slots, Stack, Text } from "./protocol.js" */
/** @import { PlaceState, Keyed } from "./picture.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */

const SHIELD = "M0 -13L11 -9V-1C11 7 6 12 0 15C-6 12 -11 7 -11 -1V-9z";
const LOCK = "M16 40h14v11h-14zM19 40v-4a4 4 0 0 1 8 0v4";
const GAP = 8;
const PILE_HEIGHT = 66;
const BAR_HEIGHT = 56;
const MIN_BOX = 44; // minimum size of a touch target
const MAX_BOX = 120;
const BOX_GAP = 6;
const LABEL_HEIGHT = 28;
const LABEL_MARGIN = 40;
const MAX_CHIPS = 200;
const MIN_LETTER = 8;

/**
 * Draw piles of chips. The piles of the two seats are side by side.
 *
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Stack>[]} stacks
 * @param {number} width
 */
export function piles(renderer, parent, stacks, width) {
  const isPaired = stacks.length > 1 && stacks.every((item) => item.seat !== undefined);
  const [inRow, across] = isPaired ? [2, (width - GAP) / 2] : [1, width];
  stacks.forEach((stack, at) => {
    const x = (at % inRow) * (across + GAP);
    const y = Math.floor(at / inRow) * PILE_HEIGHT;
    drawPile(renderer, parent, stack, { x, y, width: across });
  });
  return Math.ceil(stacks.length / inRow) * PILE_HEIGHT - GAP;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Stack>} stack
 * @param {{ x: number, y: number, width: number }} place
 */
function drawPile(renderer, parent, stack, { x, y, width }) {
  const { label, count, seat, says, form } = stack;
  const key = `pile${stack.key}`;
  const box = renderer.target(parent, key, says, {
    class: `pile-row seat${seat}`,
    at: [x, y],
    name: label,
    does: stack.does ?? says,
    ...stack.placeState(),
  });
  const tray = { x: 1, y: 1, width: width - 2, height: PILE_HEIGHT - GAP - 2, rx: 9 };
  const fit = { anchor: "start", room: width - LABEL_MARGIN - 30 };
  const labelX = seat === undefined ? 12 : 29;
  renderer.draw(box, `${key}/reach`, "rect", { ...tray, class: "touch-area halo tray" });
  renderer.seatMark(box, `${key}/sign`, seat, [17, 18], 4.5);
  renderer.text(box, `${key}/label`, [labelX, 23], label, "small", fit);
  const end = { anchor: "end" };
  renderer.text(box, `${key}/count`, [width - 12, 23], count ?? IN_WORDS.hidden, "number", end);
  const place = { x: x + width - 7, y, room: width - 90 };
  drawActions(renderer, parent, stack, { ...place, isSmall: true });
  if (count === null) {
    renderer.draw(box, `${key}/lock`, "path", { d: LOCK, class: "lock" });
    return;
  }
  const isShield = form === "shields";
  const step = Math.min(isShield ? 29 : 19, (width - 80) / Math.max(count, 1));
  for (let n = 0; n < Math.min(count, MAX_CHIPS); n += 1) {
    drawChip(renderer, box, `${key}/${n}`, { seat, x: 22 + n * step, isShield });
  }
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} box
 * @param {string} key
 * @param {{ seat?: Seat, x: number, isShield: boolean }} chip
 */
function drawChip(renderer, box, key, { seat, x, isShield }) {
  const piece = renderer.group(box, key, { class: "piece" });
  const transform = `translate(${x} 40)${isShield ? " scale(0.82)" : ""}`;
  const chip = renderer.group(piece, `${key}/at`, { transform });
  if (isShield) {
    renderer.seatShape(chip, `${key}/face`, "path", seat, { d: SHIELD, class: "face" });
    renderer.seatMark(chip, `${key}/sign`, seat, [0, 0], 4, "pale");
  } else renderer.seatShape(chip, `${key}/face`, "circle", seat, { r: 7.5, class: "face" });
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Gauge>[]} gauges
 * @param {number} width
 */
export function bars(renderer, parent, gauges, width) {
  gauges.forEach((gauge, at) => {
    drawBar(renderer, parent, gauge, at * BAR_HEIGHT, width);
  });
  return gauges.length * BAR_HEIGHT - 6;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Gauge>} gauge
 * @param {number} top
 * @param {number} width
 */
function drawBar(renderer, parent, gauge, top, width) {
  const { label, value, limit, seat, says } = gauge;
  const key = `bar${gauge.key}`;
  const box = renderer.target(parent, key, says, {
    class: `bar seat${seat}`,
    at: [0, top],
    ...gauge.placeState(),
  });
  const reach = { x: 1, y: 1, width: width - 2, height: BAR_HEIGHT - 6, rx: 9 };
  renderer.draw(box, `${key}/reach`, "rect", { ...reach, class: "touch-area halo" });
  const does = gauge.does ?? says ?? "";
  const ending = renderer.canSelect(says ?? "") ? `: ${does}` : "";
  drawLabel(renderer, box, key, { label: `${label}${ending}`, seat, room: width - 110 });
  const words = IN_WORDS.of(value, limit);
  renderer.text(box, `${key}/value`, [width - 8, 20], words, "number", { anchor: "end" });
  const trough = { x: 8, y: 28, width: width - 16, height: 14, rx: 7 };
  renderer.draw(box, `${key}/trough`, "rect", { ...trough, class: "trough" });
  const share = Math.max(0, Math.min(1, value / Math.max(limit, 1)));
  const filled = share * trough.width;
  const kind = `face ${value > limit ? "over" : ""}`;
  const fill = { ...trough, width: filled, rx: Math.min(7, filled / 2), class: kind };
  renderer.seatShape(box, `${key}/fill`, "rect", seat, fill);
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} box
 * @param {string} key
 * @param {{ label: string, seat?: Seat, room: number }} options
 */
function drawLabel(renderer, box, key, { label, seat, room }) {
  const x = seat === undefined ? 8 : 26;
  const fit = { anchor: "start", room };
  renderer.seatMark(box, `${key}/sign`, seat, [14, 15], 4.5);
  renderer.text(box, `${key}/label`, [x, 20], label, "small", fit);
}

/**
 * Draw rows of boxes, as large as the room allows.
 *
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Slots>[]} rows
 * @param {number} width
 * @param {number} [room] the available height
 */
export function boxes(renderer, parent, rows, width, room = 0) {
  const names = rows.flatMap(({ slots }) => slots.map(({ name }) => name));
  const longest = Math.max(1, ...names.map((name) => name.length));
  const most = Math.max(1, ...rows.map(({ slots }) => slots.length));
  const widest = Math.max(MIN_BOX, longest * 9 + 20);
  const lines = rows.length * Math.ceil((most * (widest + BOX_GAP)) / width);
  const left = (room - rows.length * (LABEL_HEIGHT + 4)) / lines - BOX_GAP;
  const high = clamp(Math.min(left, (width - 16) / most - BOX_GAP), MIN_BOX, MAX_BOX);
  const across = Math.max(widest, high);
  const inRow = Math.max(1, Math.floor((width - 16 + BOX_GAP) / (across + BOX_GAP)));
  const margin = Math.max(8, (width - Math.min(inRow, most) * (across + BOX_GAP) + BOX_GAP) / 2);
  let top = 0;
  for (const item of rows) {
    const { key, slots, seat, placeState } = item;
    const words = rowLabel(renderer, item);
    const row = renderer.group(parent, `boxes${key}`, { at: [room ? margin : 8, top] });
    drawLabel(renderer, row, `boxes${key}`, { label: words, seat, room: width - 34 });
    slots.forEach((slot, at) => {
      const x = (at % inRow) * (across + BOX_GAP);
      const y = LABEL_HEIGHT + Math.floor(at / inRow) * (high + BOX_GAP);
      const owner = slot.seat ?? (slot.spent ? undefined : seat);
      const place = { owner, at: [x, y], across, high, ...placeState(at) };
      drawBox(renderer, row, `boxes${key}/${at}`, slot, place);
    });
    top += LABEL_HEIGHT + Math.ceil(slots.length / inRow) * (high + BOX_GAP) + 4;
  }
  return top - 4 - BOX_GAP;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} row
 * @param {string} key
 * @param {Slot} slot
 * @param {PlaceState & { owner?: Seat, at: number[], across: number, high: number }} place
 */
function drawBox(
  renderer,
  row,
  key,
  { name, spent, says },
  { owner, at, across, high, ...placeState },
) {
  const kind = `box seat${owner} ${spent ? "spent" : ""}`;
  const box = renderer.target(row, key, says, { class: kind, at, ...placeState });
  const face = { width: across, height: high, rx: 7, class: "box-face halo" };
  const size = clamp(high * 0.36, 16, 30);
  renderer.draw(box, `${key}/face`, "rect", face);
  renderer.seatMark(box, `${key}/sign`, owner, [across - 10, 10], clamp(high * 0.08, 3.5, 7));
  const middle = high / 2 + size * 0.35;
  renderer.text(box, `${key}/name`, [across / 2, middle], name, "number", { size });
}

/**
 * Draw a board of letters in a grid.
 *
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Board>[]} boards
 * @param {number} width
 * @param {number} [room] the available height
 */
export function letterBoard(
  renderer,
  parent,
  [{ key, words, placeState }],
  width,
  room = Infinity,
) {
  const rows = words.split("\n");
  const longest = Math.max(1, ...rows.map((row) => row.length));
  const fitting = Math.min((width - 32) / (longest * 0.62), (room - 32) / (rows.length * 1.4));
  const size = clamp(fitting, MIN_LETTER, room === Infinity ? 20 : 32);
  const height = rows.length * size * 1.4 + 32;
  const tray = { x: 1, y: 1, width: width - 2, height: height - 2, rx: 9, class: "tray" };
  renderer.draw(parent, `board${key}/tray`, "rect", tray);
  rows.forEach((row, at) => {
    const text = row.replaceAll(" ", "\u00a0");
    const y = 16 + size * (1 + at * 1.4);
    const options = { anchor: "start", size };
    const kind = `letters ${placeState(at).isLast ? "last" : ""}`;
    renderer.text(parent, `board${key}/${at}`, [16, y], text, kind, options);
  });
  return height;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Text>[]} texts
 * @param {number} width
 */
export function textLines(renderer, parent, texts, width) {
  const longest = Math.max(12, Math.floor(width / 9));
  let top = 0;
  for (const { key, words, placeState } of texts) {
    const kind = placeState().isLast ? "last" : "";
    wrap(words, longest).forEach((line, at) => {
      renderer.text(parent, `line${key}/${at}`, [8, top + 18], line, kind, { anchor: "start" });
      top += 24;
    });
  }
  return top;
}

/**
 * Wrap words into lines of at most `longest` letters; a longer word has a separate line.
 *
 * @param {string} words
 * @param {number} longest
 */
export function wrap(words, longest) {
  const lines = [""];
  for (const word of words.split(/\s+/)) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length + 1 > longest) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}
