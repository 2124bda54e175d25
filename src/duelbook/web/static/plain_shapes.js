// Shapes without a form of their own: bars, chips, boxes and lines of text.

const SHIELD = "M0 -13L11 -9V-1C11 7 6 12 0 15C-6 12 -11 7 -11 -1V-9z";

const GAP = 8;
const LEAD = 40; // what a label leaves free of its tray

// Piles of both seats stand side by side, unless their names need the whole width.
export function piles(pen, g, items, width) {
  const half = (width - GAP) / 2;
  const fits = ({ label }) => width > 480 || pen.length(g, pen.name(label), "small") <= half - LEAD;
  const paired = items.length > 1 && items.every(({ seat }) => seat !== undefined) && items.every(fits);
  const across = paired ? half : width;
  const tall = 66;
  items.forEach((item, at) => {
    const x = paired ? (at % 2) * (across + GAP) : 0;
    const y = (paired ? Math.floor(at / 2) : at) * tall;
    pile(pen, g, item, x, y, across, tall - GAP);
  });
  return Math.ceil(items.length / (paired ? 2 : 1)) * tall - GAP;
}

function pile(pen, g, { key, label, count, seat, says, form }, x, y, width, height) {
  const box = pen.thing(g, `pile${key}`, says, { class: `pile-row seat${seat}`, at: [x, y] });
  pen.put(box, `pile${key}/reach`, "rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: 9, class: "reach halo tray" });
  pen.sign(box, `pile${key}/sign`, seat, 17, 18, 4.5);
  pen.text(box, `pile${key}/label`, seat === undefined ? 12 : 29, 23, pen.name(label), "small", { anchor: "start", room: width - LEAD });
  pen.text(box, `pile${key}/count`, width - 14, 46, count ?? "sealed", "number", { anchor: "end" });
  const shown = count ?? 0;
  const step = Math.min(form === "shields" ? 29 : 19, (width - 80) / Math.max(shown, 1));
  for (let n = 0; n < shown && n < 200; n += 1) {
    const piece = pen.group(box, `pile${key}/${n}`, { class: "piece" });
    const at = { transform: `translate(${22 + n * step} 40)` };
    const one = pen.group(piece, `pile${key}/${n}/at`, form === "shields" ? { transform: `${at.transform} scale(0.82)` } : at);
    if (form === "shields") {
      pen.solid(one, `pile${key}/${n}/face`, "path", seat, { d: SHIELD, class: "face" });
      pen.sign(one, `pile${key}/${n}/sign`, seat, 0, 0, 4, "pale");
    } else pen.solid(one, `pile${key}/${n}/face`, "circle", seat, { r: 7.5, class: "face" });
  }
  if (count === null) pen.put(box, `pile${key}/lock`, "path", { d: "M16 40h14v11h-14zM19 40v-4a4 4 0 0 1 8 0v4", class: "lock" });
}

export function bars(pen, g, items, width) {
  const tall = 56;
  items.forEach(({ key, label, value, limit, seat, says }, at) => {
    const box = pen.thing(g, `bar${key}`, says, { class: `bar seat${seat}`, at: [0, at * tall] });
    pen.put(box, `bar${key}/reach`, "rect", { x: 1, y: 1, width: width - 2, height: tall - 6, rx: 9, class: "reach halo" });
    pen.sign(box, `bar${key}/sign`, seat, 14, 15, 4.5);
    pen.text(box, `bar${key}/label`, seat === undefined ? 8 : 26, 20, pen.name(label), "small", { anchor: "start", room: width - 110 });
    pen.text(box, `bar${key}/value`, width - 8, 20, `${value} of ${limit}`, "number", { anchor: "end" });
    pen.put(box, `bar${key}/trough`, "rect", { x: 8, y: 28, width: width - 16, height: 14, rx: 7, class: "trough" });
    const full = Math.max(0, Math.min(1, value / Math.max(limit, 1))) * (width - 16);
    pen.solid(box, `bar${key}/fill`, "rect", seat, { x: 8, y: 28, width: full, height: 14, rx: Math.min(7, full / 2), class: `face ${value > limit ? "over" : ""}` });
  });
  return items.length * tall - 6;
}

export function boxes(pen, g, items, width) {
  let top = 0;
  for (const { key, label, slots, seat } of items) {
    const row = pen.group(g, `boxes${key}`, { at: [0, top] });
    pen.sign(row, `boxes${key}/sign`, seat, 14, 15, 4.5);
    pen.text(row, `boxes${key}/label`, seat === undefined ? 8 : 26, 20, pen.name(label), "small", { anchor: "start", room: width - 34 });
    const longest = Math.max(1, ...slots.map(({ name }) => name.length));
    const side = Math.max(40, longest * 9 + 20);
    const inRow = Math.max(1, Math.floor((width - 8) / (side + 6)));
    slots.forEach((slot, at) => {
      const x = 8 + (at % inRow) * (side + 6);
      const y = 30 + Math.floor(at / inRow) * 48;
      const owner = slot.seat ?? (slot.spent ? undefined : seat);
      const box = pen.thing(row, `boxes${key}/${at}`, slot.says, { class: `box seat${owner} ${slot.spent ? "spent" : ""}`, at: [x, y] });
      pen.put(box, `boxes${key}/${at}/face`, "rect", { width: side, height: 40, rx: 7, class: "box-face halo" });
      pen.sign(box, `boxes${key}/${at}/sign`, owner, side - 8, 8, 3.5);
      pen.text(box, `boxes${key}/${at}/name`, side / 2, 26, slot.name, "number");
    });
    top += 30 + Math.ceil(slots.length / inRow) * 48 + 4;
  }
  return top - 4;
}

// A board in letters: every letter has its place.
export function board(pen, g, items, width) {
  const [{ key, words }] = items;
  const rows = pen.name(words).split("\n");
  const longest = Math.max(1, ...rows.map((row) => row.length));
  const size = Math.max(8, Math.min(20, (width - 32) / (longest * 0.62)));
  const tall = rows.length * size * 1.4 + 32;
  pen.put(g, `board${key}/tray`, "rect", { x: 1, y: 1, width: width - 2, height: tall - 2, rx: 9, class: "tray" });
  rows.forEach((row, at) => {
    pen.text(g, `board${key}/${at}`, 16, 16 + size * (1 + at * 1.4), row.replaceAll(" ", "\u00a0"), "letters", { anchor: "start", size });
  });
  return tall;
}

export function lines(pen, g, items, width) {
  let top = 0;
  for (const { key, words } of items) {
    wrapped(pen.name(words), Math.max(12, Math.floor(width / 9))).forEach((line, at) => {
      pen.text(g, `line${key}/${at}`, 8, top + 18, line, "", { anchor: "start" });
      top += 24;
    });
  }
  return top;
}

function wrapped(words, most) {
  const rows = [""];
  for (const word of words.split(/\s+/)) {
    const row = rows.at(-1);
    if (row && row.length + word.length + 1 > most) rows.push(word);
    else rows[rows.length - 1] = row ? `${row} ${word}` : word;
  }
  return rows;
}
