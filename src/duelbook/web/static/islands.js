// Islands that stand out of one sea.

import { disc } from "./svg_renderer.js";

const DEEPEST = 20;

export function seascape(pen, g, items, width) {
  const height = Math.min(Math.max(width * 0.52, 250), 340);
  const narrow = width < 480;
  const floor = narrow ? 82 : 64;
  const sea = items.find(({ shape }) => shape === "stack");
  const islands = items.filter(({ shape }) => shape === "gauge");
  const deep = Math.min(sea?.count ?? 1, DEEPEST);
  const step = (height * 0.24) / DEEPEST;
  const level = height - floor - deep * step;
  const clip = pen.put(g, "clip", "clipPath", { id: `${pen.hatch}-frame` });
  pen.put(clip, "clip/frame", "rect", { width, height, rx: 14 });
  const frame = g;
  g = pen.group(frame, "view", { "clip-path": `url(#${pen.hatch}-frame)` });
  pen.put(g, "sky", "rect", { width, height, rx: 14, class: "air" });
  pen.put(g, "sun", "path", { d: disc(height * 0.075), at: [width / 2, height * 0.24], class: "sun" });
  cloud(pen, g, "cloud1", width * 0.08, height * 0.2, height / 300);
  cloud(pen, g, "cloud2", width * 0.83, height * 0.13, height / 380);
  pen.put(g, "far", "path", { d: waves(width, height, 7, 70), at: [0, level - 5], class: "sea far" });
  islands.forEach((island, at) => {
    const middle = (width * (2 * at + 1)) / (2 * islands.length);
    const reach = Math.min(width / islands.length / 2.25, 190);
    const unit = (height - floor - step - 62) / island.limit;
    const sunk = island.value <= 0;
    const peak = level + (sunk ? 26 : 0) - Math.min(island.value, island.limit) * unit;
    land(pen, g, `land${island.key}`, island, { middle, peak, reach, height, sunk });
  });
  const water = pen.thing(g, "water", sea?.says);
  pen.put(water, "near", "path", { d: waves(width, height, 5, 46), at: [0, level], class: "sea near halo" });
  pen.put(water, "nearer", "path", { d: waves(width, height, 6, 90), at: [-20, level + 22], class: "sea nearer" });
  if (sea) {
    const up = narrow ? 16 : 0;
    pen.text(water, "sea/label", width / 2 - (narrow ? 12 : 0), height - 34 - up * 1.3, pen.name(sea.label), "onsea small");
    pen.text(water, "sea/count", width / 2 + (narrow ? 34 : 0), height - (narrow ? 54 : 12), sea.count ?? "?", "onsea number");
  }
  islands.forEach((island, at) => {
    const middle = (width * (2 * at + 1)) / (2 * islands.length);
    const room = width / islands.length - (narrow ? 12 : 90);
    pen.text(g, `name${island.key}`, middle, height - 34, pen.name(island.label), "onsea small", { room });
    pen.text(g, `value${island.key}`, middle, height - 12, `${island.value} of ${island.limit}`, "onsea number");
  });
  pen.put(frame, "edge", "rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 14, class: "frame" });
  return height;
}

function land(pen, g, key, { seat, says }, { middle, peak, reach, height, sunk }) {
  const island = pen.thing(g, key, says, { class: `land seat${seat}`, at: [middle, peak] });
  const r = reach;
  const h = height * 0.95;
  const left = `M${-r} ${h}C${-r * 0.92} ${h * 0.72} ${-r * 0.8} ${h * 0.62} ${-r * 0.66} ${h * 0.46}C${-r * 0.56} ${h * 0.34} ${-r * 0.42} ${h * 0.3} ${-r * 0.32} ${h * 0.17}C${-r * 0.24} ${h * 0.06} ${-r * 0.14} 0 0 0`;
  const right = `C${r * 0.12} 0 ${r * 0.16} ${h * 0.1} ${r * 0.28} ${h * 0.16}C${r * 0.46} ${h * 0.25} ${r * 0.5} ${h * 0.4} ${r * 0.68} ${h * 0.5}C${r * 0.84} ${h * 0.6} ${r * 0.94} ${h * 0.8} ${r} ${h}z`;
  pen.put(island, `${key}/hill`, "path", { d: left + right, class: "hill" });
  const shade = `M0 0${right.slice(0, -1)}L${r * 0.1} ${h}C${r * 0.2} ${h * 0.7} ${-r * 0.1} ${h * 0.55} ${r * 0.02} ${h * 0.35}C${r * 0.08} ${h * 0.2} ${-r * 0.08} ${h * 0.12} 0 0z`;
  pen.put(island, `${key}/shade`, "path", { d: shade, class: "hill-shade" });
  palm(pen, island, `${key}/palm1`, -r * 0.34, h * 0.2, Math.max(height / 330, 0.75), -1);
  palm(pen, island, `${key}/palm2`, r * 0.36, h * 0.22, Math.max(height / 400, 0.62), 1);
  palm(pen, island, `${key}/palm3`, -r * 0.6, h * 0.41, Math.max(height / 420, 0.6), 1);
  const flag = pen.group(island, `${key}/flag`, { class: "flagstaff", at: [0, 3, sunk ? -24 : 0] });
  pen.put(flag, `${key}/pole`, "path", { d: "M0 0V-40", class: "pole" });
  pen.solid(flag, `${key}/cloth`, "path", seat, { d: "M0 -40H30L24 -30L30 -20H0z" });
  pen.sign(flag, `${key}/sign`, seat, 11, -30, 4.5, "pale");
}

function palm(pen, g, key, x, y, size, lean) {
  const tree = pen.group(g, key, { transform: `translate(${x} ${y}) scale(${size * lean} ${size})` });
  pen.put(tree, `${key}/trunk`, "path", { d: "M-2 2C0 -10 2 -18 8 -26L11 -25C6 -16 4 -8 3 2z", class: "trunk" });
  const leaves = "M9 -26C2 -36 -8 -34 -12 -26C-6 -30 2 -30 9 -26C4 -30 -4 -24 -5 -16C-1 -22 4 -25 9 -26C16 -36 26 -33 29 -24C23 -29 16 -29 9 -26C15 -28 21 -22 21 -14C18 -20 14 -24 9 -26z";
  pen.put(tree, `${key}/leaves`, "path", { d: leaves, class: "leaves" });
}

function cloud(pen, g, key, x, y, size) {
  const d = "M0 20a10 10 0 0 1 8-16a16 16 0 0 1 30-3a13 13 0 0 1 22 8a8 8 0 0 1 2 11z";
  pen.put(g, key, "path", { d, transform: `translate(${x} ${y}) scale(${size})`, class: "cloud" });
}

function waves(width, height, high, long) {
  let d = `M${-long} 0`;
  for (let x = -long; x < width + 2 * long; x += long) {
    d += `q${long / 4} ${-high} ${long / 2} 0t${long / 2} 0`;
  }
  return `${d}V${height}H${-long}z`;
}
