// Shapes without a form of their own: piles of chips, bars, boxes, letters and lines of text.

/** @import { Board, Gauge, Seat, Slot, Slots, Stack, Text } from "./protocol.js" */
/** @import { Keyed } from "./picture.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */

const SHIELD = "M0 -13L11 -9V-1C11 7 6 12 0 15C-6 12 -11 7 -11 -1V-9z";
const LOCK = "M16 40h14v11h-14zM19 40v-4a4 4 0 0 1 8 0v4";
const GAP = 8;
const PILE_HEIGHT = 66;
const BAR_HEIGHT = 56;
const BOX_HEIGHT = 48;
const LABEL_MARGIN = 40; // what a label leaves free of its tray
const MOST_CHIPS = 200;

/**
 * Piles of both seats stand side by side, unless their names need the whole width.
 *
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Stack>[]} stacks
 * @param {number} width
 */
export function piles(renderer, parent, stacks, width) {
  const half = (width - GAP) / 2;
  const fits = (/** @type {Stack} */ { label }) =>
    width > 480 ||
    renderer.textWidth(parent, renderer.withNames(label), "small") <= half - LABEL_MARGIN;
  const isPaired = stacks.length > 1 && stacks.every((one) => one.seat !== undefined && fits(one));
  const [inRow, across] = isPaired ? [2, half] : [1, width];
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
  const box = renderer.target(parent, key, says, { class: `pile-row seat${seat}`, at: [x, y] });
  const tray = { x: 1, y: 1, width: width - 2, height: PILE_HEIGHT - GAP - 2, rx: 9 };
  const fit = { anchor: "start", room: width - LABEL_MARGIN };
  const labelX = seat === undefined ? 12 : 29;
  renderer.draw(box, `${key}/reach`, "rect", { ...tray, class: "reach halo tray" });
  renderer.seatMark(box, `${key}/sign`, seat, [17, 18], 4.5);
  renderer.text(box, `${key}/label`, [labelX, 23], renderer.withNames(label), "small", fit);
  const end = { anchor: "end" };
  renderer.text(box, `${key}/count`, [width - 14, 46], count ?? "sealed", "number", end);
  if (count === null) {
    renderer.draw(box, `${key}/lock`, "path", { d: LOCK, class: "lock" });
    return;
  }
  const isShield = form === "shields";
  const step = Math.min(isShield ? 29 : 19, (width - 80) / Math.max(count, 1));
  for (let n = 0; n < Math.min(count, MOST_CHIPS); n += 1) {
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
function drawBar(renderer, parent, { key: number, label, value, limit, seat, says }, top, width) {
  const key = `bar${number}`;
  const box = renderer.target(parent, key, says, { class: `bar seat${seat}`, at: [0, top] });
  const reach = { x: 1, y: 1, width: width - 2, height: BAR_HEIGHT - 6, rx: 9 };
  renderer.draw(box, `${key}/reach`, "rect", { ...reach, class: "reach halo" });
  drawLabel(renderer, box, key, { label, seat, room: width - 110 });
  const words = `${value} of ${limit}`;
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
  renderer.text(box, `${key}/label`, [x, 20], renderer.withNames(label), "small", fit);
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Slots>[]} rows
 * @param {number} width
 */
export function boxes(renderer, parent, rows, width) {
  let top = 0;
  for (const { key, label, slots, seat } of rows) {
    const row = renderer.group(parent, `boxes${key}`, { at: [0, top] });
    drawLabel(renderer, row, `boxes${key}`, { label, seat, room: width - 34 });
    const longest = Math.max(1, ...slots.map(({ name }) => name.length));
    const side = Math.max(40, longest * 9 + 20);
    const inRow = Math.max(1, Math.floor((width - 8) / (side + 6)));
    slots.forEach((slot, at) => {
      const x = 8 + (at % inRow) * (side + 6);
      const y = 30 + Math.floor(at / inRow) * BOX_HEIGHT;
      const owner = slot.seat ?? (slot.spent ? undefined : seat);
      drawBox(renderer, row, `boxes${key}/${at}`, slot, { owner, at: [x, y], side });
    });
    top += 30 + Math.ceil(slots.length / inRow) * BOX_HEIGHT + 4;
  }
  return top - 4;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} row
 * @param {string} key
 * @param {Slot} slot
 * @param {{ owner?: Seat, at: number[], side: number }} place
 */
function drawBox(renderer, row, key, { name, spent, says }, { owner, at, side }) {
  const kind = `box seat${owner} ${spent ? "spent" : ""}`;
  const box = renderer.target(row, key, says, { class: kind, at });
  const face = { width: side, height: 40, rx: 7, class: "box-face halo" };
  renderer.draw(box, `${key}/face`, "rect", face);
  renderer.seatMark(box, `${key}/sign`, owner, [side - 8, 8], 3.5);
  renderer.text(box, `${key}/name`, [side / 2, 26], name, "number");
}

/**
 * A board in letters, in which every letter has its place.
 *
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Board>[]} boards
 * @param {number} width
 */
export function letterBoard(renderer, parent, [{ key, words }], width) {
  const rows = renderer.withNames(words).split("\n");
  const longest = Math.max(1, ...rows.map((row) => row.length));
  const size = Math.max(8, Math.min(20, (width - 32) / (longest * 0.62)));
  const height = rows.length * size * 1.4 + 32;
  const tray = { x: 1, y: 1, width: width - 2, height: height - 2, rx: 9, class: "tray" };
  renderer.draw(parent, `board${key}/tray`, "rect", tray);
  rows.forEach((row, at) => {
    const text = row.replaceAll(" ", "\u00a0");
    const y = 16 + size * (1 + at * 1.4);
    const options = { anchor: "start", size };
    renderer.text(parent, `board${key}/${at}`, [16, y], text, "letters", options);
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
  for (const { key, words } of texts) {
    wrap(renderer.withNames(words), longest).forEach((line, at) => {
      renderer.text(parent, `line${key}/${at}`, [8, top + 18], line, "", { anchor: "start" });
      top += 24;
    });
  }
  return top;
}

/**
 * Words in lines of at most so many letters; a longer word has a line of its own.
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
