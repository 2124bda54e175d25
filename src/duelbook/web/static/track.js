// A road of numbered places, with a unit and a base for each seat.

export function road(pen, g, items, width) {
  let top = 0;
  for (const item of items) {
    const band = pen.group(g, `road${item.key}`, { at: [0, top] });
    top += one(pen, band, item, width) + 10;
  }
  return top - 10;
}

function one(pen, g, { key, last, units, bases, says = [] }, width) {
  const height = Math.min(Math.max(width * 0.4, 200), 260);
  const margin = Math.max(24, width * 0.065);
  const step = (width - 2 * margin) / Math.max(last, 1);
  const r = Math.min(20, step * 0.45);
  const base = height * 0.64;
  const place = (cell) => [margin + cell * step, base + Math.sin((cell / Math.max(last, 1)) * Math.PI * 2 + 0.5) * height * 0.07];
  pen.put(g, `${key}/air`, "rect", { width, height, rx: 14, class: "air" });
  pen.put(g, `${key}/sun`, "circle", { cx: width * 0.5, cy: height * 0.22, r: height * 0.075, class: "sun" });
  const far = `M0 ${height * 0.5}C${width * 0.15} ${height * 0.3} ${width * 0.25} ${height * 0.34} ${width * 0.38} ${height * 0.45}C${width * 0.5} ${height * 0.3} ${width * 0.66} ${height * 0.26} ${width * 0.78} ${height * 0.42}C${width * 0.88} ${height * 0.34} ${width * 0.95} ${height * 0.36} ${width} ${height * 0.42}V${height * 0.7}H0z`;
  pen.put(g, `${key}/far`, "path", { d: far, class: "hills" });
  const near = `M0 ${height * 0.55}C${width * 0.3} ${height * 0.44} ${width * 0.6} ${height * 0.58} ${width} ${height * 0.5}V${height - 14}a14 14 0 0 1 -14 14H14a14 14 0 0 1 -14 -14z`;
  pen.put(g, `${key}/meadow`, "path", { d: near, class: "meadow" });
  const cells = [...Array(last + 1).keys()];
  const line = cells.map((cell) => place(cell).map((n) => Math.round(n * 10) / 10).join(" ")).join("L");
  pen.put(g, `${key}/verge`, "path", { d: `M${line}`, class: "verge", "stroke-width": r * 2.3 + 6 });
  pen.put(g, `${key}/road`, "path", { d: `M${line}`, class: "road", "stroke-width": r * 2.3 });
  bases.forEach((cell, seat) => {
    const [x, y] = place(cell);
    castle(pen, g, `${key}/castle${seat}`, seat, x, y - r * 0.9, Math.min(1, step / 34));
  });
  for (const cell of cells) {
    const [x, y] = place(cell);
    const stone = pen.thing(g, `${key}/cell${cell}`, says[cell], { class: "stone", at: [x, y] });
    pen.put(stone, `${key}/cell${cell}/reach`, "rect", { x: -step / 2, y: -30, width: step, height: 74, class: "reach" });
    pen.put(stone, `${key}/cell${cell}/face`, "circle", { r, class: "stone-face halo" });
    pen.text(stone, `${key}/cell${cell}/name`, 0, r + 17, cell, "onmeadow small");
  }
  units.forEach((cell, seat) => {
    const [x, y] = place(cell);
    const shared = units[0] === units[1] ? (seat ? 8 : -8) : 0;
    pawn(pen, g, `${key}/unit${seat}`, seat, x + shared, y + r * 0.35, Math.min(1.1, Math.max(step / 32, 0.75)));
  });
  pen.put(g, `${key}/edge`, "rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 14, class: "frame" });
  return height;
}

function castle(pen, g, key, seat, x, y, size) {
  const box = pen.group(g, key, { transform: `translate(${x} ${y}) scale(${size})` });
  const walls = "M-22 6V-26h7v5h6v-5h6v5h6v-5h6v5h6v-5h7V6z";
  pen.solid(box, `${key}/walls`, "path", seat, { d: walls, class: "face" });
  pen.put(box, `${key}/gate`, "path", { d: "M-6 6v-10a6 6 0 0 1 12 0V6z", class: "gate" });
  pen.put(box, `${key}/pole`, "path", { d: "M0 -22V-52", class: "pole" });
  pen.solid(box, `${key}/cloth`, "path", seat, { d: "M0 -52H22L17 -45L22 -38H0z" });
  pen.sign(box, `${key}/sign`, seat, 8, -45, 3.5, "pale");
}

function pawn(pen, g, key, seat, x, y, size) {
  const unit = pen.group(g, key, { class: "unit", at: [x, y] });
  const body = pen.group(unit, `${key}/body`, { transform: `scale(${size})` });
  pen.put(body, `${key}/shadow`, "ellipse", { rx: 13, ry: 4, class: "shadow" });
  pen.solid(body, `${key}/coat`, "path", seat, { d: "M-12 0C-11 -6 -6 -9 -5 -20H5C6 -9 11 -6 12 0C8 3 -8 3 -12 0z", class: "figure" });
  const head = seat === 0 ? "M-9 -27a9 9 0 1 0 18 0a9 9 0 1 0 -18 0z" : "M0 -39L11 -27L0 -15L-11 -27z";
  pen.solid(body, `${key}/head`, "path", seat, { d: head, class: "figure" });
}
