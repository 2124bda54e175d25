// Towers of blocks beside a mark at their limit; whatever stands above it is falling.

const MOST_BLOCKS = 40;

export function towers(pen, g, items, width) {
  const height = Math.min(Math.max(width * 0.6, 310), 380);
  const ground = height - 62;
  const limit = Math.max(...items.map((item) => item.limit), 1);
  const top = Math.max(limit + Math.max(3, limit * 0.2), ...items.map((item) => item.value + 1));
  const unit = (ground - 34) / top;
  const each = Math.max(1, Math.ceil(top / MOST_BLOCKS));
  const broad = Math.min(128, (width / (items.length + 1)) * 0.82);
  const ys = (value) => ground - value * unit;
  pen.put(g, "air", "rect", { width, height, rx: 14, class: "air dusk" });
  const hills = `M0 ${ground}C${width * 0.12} ${ground - 46} ${width * 0.2} ${ground - 52} ${width * 0.32} ${ground - 18}C${width * 0.45} ${ground - 60} ${width * 0.6} ${ground - 78} ${width * 0.72} ${ground - 30}C${width * 0.82} ${ground - 54} ${width * 0.92} ${ground - 44} ${width} ${ground - 16}V${ground}z`;
  pen.put(g, "hills", "path", { d: hills, class: "hills" });
  const soil = `M0 ${ground}H${width}V${height - 14}a14 14 0 0 1 -14 14H14a14 14 0 0 1 -14 -14z`;
  pen.put(g, "soil", "path", { d: soil, class: "soil" });
  items.forEach((item, at) => {
    const middle = (width * (2 * at + 1)) / (2 * items.length);
    tower(pen, g, item, { middle, room: width / items.length - 16, broad, unit, each, ground, ys });
  });
  ruler(pen, g, limit, width, ground, ys);
  pen.put(g, "edge", "rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 14, class: "frame" });
  return height;
}

function tower(pen, g, item, { middle, room, broad, unit, each, ground, ys }) {
  const { key, value, limit, seat } = item;
  const over = value > limit;
  const done = value === limit;
  const state = over ? "over" : done ? "done" : "";
  const box = pen.thing(g, `tower${key}`, item.says, { class: `tower seat${seat} ${state}`, at: [middle, ground] });
  // The whole column can be clicked, also where nothing stands yet.
  const half = Math.min(broad * 0.72, room / 2 - 22); // the numbers beside the ruler stay free
  const reach = { x: -half, y: -(ground - 10), width: 2 * half, height: ground, rx: 10 };
  pen.put(box, `tower${key}/reach`, "rect", { ...reach, class: "reach halo" });
  pen.put(box, `tower${key}/base`, "rect", { x: -broad * 0.6, y: -5, width: broad * 1.2, height: 11, rx: 2, class: "plinth" });
  pen.put(box, `tower${key}/ghost`, "rect", { x: -broad / 2, y: -limit * unit, width: broad, height: limit * unit, class: "ghost" });
  const blocks = Math.ceil(value / each);
  for (let n = 0; n < blocks; n += 1) {
    const tall = Math.min(each, value - n * each) * unit;
    const falls = over && (n + 1) * each > limit;
    const up = n * each * unit + tall;
    const drift = falls ? (n * each - limit + 1) * 7 + 4 : 0;
    const at = falls ? [drift + 5, -up - drift * 0.35, 11 + drift * 0.9] : [0, -up, 0];
    const block = pen.group(box, `tower${key}/${n}`, { class: `piece block ${falls ? "falling" : ""}` });
    const moved = pen.group(block, `tower${key}/${n}/at`, { class: "moved", at });
    const size = { x: -broad / 2, y: 0.75, width: broad, height: Math.max(tall - 1.5, 1), rx: 1.5 };
    pen.solid(moved, `tower${key}/${n}/face`, "rect", seat, { ...size, class: "face" });
    const joints = n % 2 ? [0] : [-broad / 4, broad / 4];
    const d = joints.map((x) => `M${x} 1V${tall - 1}`).join("");
    pen.put(moved, `tower${key}/${n}/joint`, "path", { d, class: "joint" });
  }
  if (value > 0 && !over) {
    const w = broad / 2;
    const tooth = broad / 7;
    let d = `M${-w} 0V-8`;
    for (let n = 0; n < 7; n += 1) d += n % 2 ? `v5h${tooth}v-5` : `h${tooth}`;
    const crown = pen.group(box, `tower${key}/crown`, { class: "crown", at: [0, -value * unit] });
    pen.solid(crown, `tower${key}/teeth`, "path", seat, { d: `${d}V0z`, class: "face" });
    if (done) {
      pen.put(crown, `tower${key}/pole`, "path", { d: "M0 -8V-34", class: "pole" });
      pen.solid(crown, `tower${key}/cloth`, "path", seat, { d: "M0 -34H26L21 -27L26 -20H0z" });
    }
  }
  if (over) {
    const crack = `M${-broad * 0.1} 0l7 ${unit * 2}l-11 ${unit * 1.6}l9 ${unit * 2}l-6 ${unit * 1.8}`;
    pen.put(box, `tower${key}/crack`, "path", { d: crack, at: [0, ys(limit) - ground], class: "crack" });
    pen.text(box, `tower${key}/over`, 0, ys(limit) - ground + unit * 10.5, `${value - limit} too many`, "warning");
  }
  pen.sign(box, `tower${key}/sign`, seat, 0, 17, 4.5);
  pen.text(box, `tower${key}/label`, 0, 38, pen.name(item.label), "onsoil small", { room });
  pen.text(box, `tower${key}/value`, 0, 55, `${value} of ${limit}`, "onsoil number");
}

function ruler(pen, g, limit, width, ground, ys) {
  const middle = width / 2;
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((s) => limit / s <= 5) ?? limit;
  let d = `M${middle} ${ground}V${ys(limit)}`;
  for (let n = step; n < limit; n += step) {
    d += `M${middle - 5} ${ys(n)}h10`;
    pen.text(g, `tick${n}`, middle + 9, ys(n) + 4, n, "tick", { anchor: "start" });
  }
  pen.put(g, "ruler", "path", { d, class: "ruler" });
  pen.put(g, "limit", "path", { d: `M10 ${ys(limit)}H${width - 10}`, class: "limit" });
  pen.put(g, "limit/plate", "rect", { x: middle - 19, y: ys(limit) - 13, width: 38, height: 26, rx: 5, class: "plate" });
  pen.text(g, "limit/text", middle, ys(limit) + 6, limit, "onplate number");
}
