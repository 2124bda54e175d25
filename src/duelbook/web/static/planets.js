// Planets in the night, and the ships of each fleet below them.

export function sky(pen, g, items, width) {
  const narrow = width < 560;
  const planets = items.filter(({ form }) => form === "planets");
  const fleets = items.filter(({ form }) => form === "ships");
  const space = narrow ? 138 : 180;
  const dock = narrow ? 94 : 100;
  const rows = narrow ? fleets.length : Math.ceil(fleets.length / 2);
  const height = planets.length * space + rows * dock + 8;
  pen.put(g, "night", "rect", { width, height, rx: 14, class: "night" });
  stars(pen, g, width, height);
  let top = 0;
  for (const row of planets) {
    const band = pen.group(g, `planets${row.key}`, { at: [0, top] });
    orbit(pen, band, row, width, space, narrow);
    top += space;
  }
  fleets.forEach((fleet, at) => {
    const across = narrow ? width : width / 2;
    const x = narrow ? 0 : (at % 2) * across;
    const y = top + (narrow ? at : Math.floor(at / 2)) * dock;
    hangar(pen, pen.group(g, `fleet${fleet.key}`, { at: [x, y] }), fleet, across, narrow);
  });
  pen.put(g, "edge", "rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 14, class: "frame" });
  return height;
}

function stars(pen, g, width, height) {
  let seed = 7;
  const chance = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  let d = "";
  for (let n = 0; n < width / 7; n += 1) {
    const size = 0.4 + chance() * chance() * 1.3;
    d += `M${(chance() * (width - 12) + 6).toFixed(1)} ${(chance() * (height - 12) + 6).toFixed(1)}m${-size} 0a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`;
  }
  pen.put(g, "stars", "path", { d, class: "stars" });
}

function orbit(pen, g, { key, label, slots }, width, space, narrow) {
  const small = narrow ? 11 : 17;
  const large = narrow ? 22 : 40;
  const radius = (at) => small + ((large - small) * at) / Math.max(slots.length - 1, 1);
  const pad = narrow ? 18 : 34;
  const taken = slots.reduce((sum, _, at) => sum + 2 * radius(at), 0);
  const gap = (width - 2 * pad - taken) / Math.max(slots.length - 1, 1);
  pen.text(g, `${key}/label`, 16, 24, pen.name(label), "onnight small", { anchor: "start" });
  const arc = `M0 ${space * 0.86}Q${width / 2} ${space * 0.3} ${width} ${space * 0.7}`;
  pen.put(g, `${key}/arc`, "path", { d: arc, class: "orbit" });
  let x = pad;
  slots.forEach((slot, at) => {
    const r = radius(at);
    x += r;
    const t = x / width;
    const y = space * ((1 - t) ** 2 * 0.86 + 2 * t * (1 - t) * 0.3 + t ** 2 * 0.7);
    planet(pen, g, `${key}/${at}`, slot, at, x, y, r);
    x += r + gap;
  });
}

function planet(pen, g, key, { name, seat, says, spent }, at, x, y, r) {
  const owner = seat === undefined ? "free" : `seat${seat} owned`;
  const ball = pen.thing(g, key, says, { class: `planet tint${at % 4} ${owner} ${spent ? "spent" : ""}`, at: [x, y] });
  pen.put(ball, `${key}/halo`, "circle", { r: r + 6, class: "halo ring" });
  const half = `M${-r * 1.42} ${r * 0.34}A${r * 1.42} ${r * 0.5} -14 0 1 ${r * 1.42} ${-r * 0.34}`;
  const rest = `M${r * 1.42} ${-r * 0.34}A${r * 1.42} ${r * 0.5} -14 0 1 ${-r * 1.42} ${r * 0.34}`;
  if (at % 4 === 2) pen.put(ball, `${key}/back`, "path", { d: half, class: "hoop" });
  pen.solid(ball, `${key}/ball`, "circle", seat, { r, class: "globe" });
  const surface = [
    `M${-r * 0.5} ${-r * 0.45}m${-r * 0.2} 0a${r * 0.2} ${r * 0.2} 0 1 0 ${r * 0.4} 0a${r * 0.2} ${r * 0.2} 0 1 0 ${-r * 0.4} 0M${r * 0.5} ${r * 0.4}m${-r * 0.16} 0a${r * 0.16} ${r * 0.16} 0 1 0 ${r * 0.32} 0a${r * 0.16} ${r * 0.16} 0 1 0 ${-r * 0.32} 0`,
    `M${-r * 0.86} ${-r * 0.5}H${r * 0.86}A${r} ${r} 0 0 1 ${r * 0.96} ${-r * 0.25}H${-r * 0.96}A${r} ${r} 0 0 1 ${-r * 0.86} ${-r * 0.5}zM${-r * 0.9} ${r * 0.42}H${r * 0.9}A${r} ${r} 0 0 1 ${r * 0.72} ${r * 0.7}H${-r * 0.72}A${r} ${r} 0 0 1 ${-r * 0.9} ${r * 0.42}z`,
    "",
    `M${-r * 0.7} ${-r * 0.7}A${r} ${r} 0 0 1 ${r * 0.7} ${-r * 0.7}Q0 ${-r * 0.4} ${-r * 0.7} ${-r * 0.7}z`,
  ][at % 4];
  pen.put(ball, `${key}/surface`, "path", { d: surface, class: "surface" });
  pen.put(ball, `${key}/shine`, "circle", { r, class: "shine", fill: `url(#${pen.shine})` });
  if (at % 4 === 2) pen.put(ball, `${key}/front`, "path", { d: rest, class: "hoop" });
  pen.put(ball, `${key}/disc`, "circle", { r: Math.min(r * 0.72, 13), class: "badge" });
  pen.text(ball, `${key}/name`, 0, 5, name, "onglobe number");
  if (seat !== undefined) {
    const flag = pen.group(ball, `${key}/flag`, { class: "piece", transform: `translate(0 ${-r})` });
    pen.put(flag, `${key}/pole`, "path", { d: "M0 2V-22", class: "pole light" });
    pen.solid(flag, `${key}/cloth`, "path", seat, { d: "M0 -22H20L16 -15L20 -8H0z" });
    pen.sign(flag, `${key}/sign`, seat, 7.5, -15, 3.2, "pale");
  }
}

function hangar(pen, g, { key, label, slots, seat }, width, narrow) {
  const pad = narrow ? 14 : 22;
  const step = (width - 2 * pad) / Math.max(slots.length, 1);
  pen.sign(g, `${key}/sign`, seat, pad + 5, 15, 5);
  pen.text(g, `${key}/label`, pad + 18, 20, pen.name(label), "onnight small", { anchor: "start", room: width - 60 });
  slots.forEach((slot, at) => {
    const size = 0.78 + (0.4 * at) / Math.max(slots.length - 1, 1);
    const kind = `ship seat${seat} ${slot.spent ? "spent" : ""}`;
    const ship = pen.thing(g, `${key}/${at}`, slot.says, { class: kind, at: [pad + step * (at + 0.5), 56] });
    pen.put(ship, `${key}/${at}/halo`, "rect", { x: -step / 2 + 2, y: -30, width: step - 4, height: 60, rx: 8, class: "halo reach" });
    const body = pen.group(ship, `${key}/${at}/body`, { class: "hull", transform: `scale(${size})` });
    pen.put(body, `${key}/${at}/flame`, "path", { d: "M-4 13Q0 26 4 13z", class: "flame" });
    pen.solid(body, `${key}/${at}/hull`, "path", seat, { d: "M0 -22C8 -14 10 -4 9 6L17 15L6 13H-6L-17 15L-9 6C-10 -4 -8 -14 0 -22z", class: "plates" });
    pen.put(body, `${key}/${at}/window`, "circle", { r: 0.1, class: "badge" });
    pen.put(ship, `${key}/${at}/badge`, "circle", { cy: 0, r: 9.5, class: "badge" });
    pen.text(ship, `${key}/${at}/name`, 0, 5, slot.name, "onglobe small");
  });
}
