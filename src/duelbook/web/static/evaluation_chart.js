// The curve of who was winning: up for the first player, down for the second.

import { svg } from "./dom.js";
import { fit } from "./fit_text.js";

const [HEIGHT, SIDE, ENDS] = [150, 10, 20];

export class Curve {
  constructor(box, values, mistakes, names, go) {
    const WIDTH = Math.max(box.clientWidth, 240);
    const last = Math.max(values.length - 1, 1);
    this.x = (at) => SIDE + (Math.min(at, last) / last) * (WIDTH - 2 * SIDE);
    const y = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - ENDS);
    const line = values.map((value, at) => `${this.x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
    const area = (sign) =>
      corners(values)
        .map(([at, value]) => `${this.x(at).toFixed(1)} ${y(sign > 0 ? Math.max(value, 0) : Math.min(value, 0)).toFixed(1)}`)
        .join("L");
    const closed = (points) => `M${this.x(0)} ${y(0)}L${points}L${this.x(values.length - 1)} ${y(0)}z`;
    const slips = mistakes.map(({ number }) => svg("circle", { class: "slip", cx: this.x(number), cy: y(values[Math.min(number, values.length - 1)]), r: 5 }));
    this.now = svg("path", { class: "now" });
    const ends = [12, HEIGHT - 3].map((height) => svg("text", { x: SIDE, y: height }));
    const root = svg(
      "svg",
      { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": spoken(values, names) },
      svg("path", { class: "area0", d: closed(area(1)) }),
      svg("path", { class: "area1", d: closed(area(-1)) }),
      svg("path", { class: "zero", d: `M${SIDE} ${y(0)}H${WIDTH - SIDE}` }),
      svg("path", { class: "path", d: `M${line}` }),
      slips,
      this.now,
      ends,
    );
    root.addEventListener("click", (event) => {
      const { left, width } = root.getBoundingClientRect();
      const across = (((event.clientX - left) / width) * WIDTH - SIDE) / (WIDTH - 2 * SIDE);
      go(Math.round(across * last));
    });
    box.replaceChildren(root);
    ends.forEach((end, seat) => fit(end, `${names[seat]} is winning`, WIDTH - 2 * SIDE));
  }

  point(at) {
    this.now.setAttribute("d", `M${this.x(at)} ${ENDS}V${HEIGHT - ENDS}`);
  }
}

// The points of the line, and where it crosses the middle between two of them.
function corners(values) {
  return values.flatMap((value, at) => {
    const before = values[at - 1];
    const crosses = at && before * value < 0;
    return crosses ? [[at - 1 + before / (before - value), 0], [at, value]] : [[at, value]];
  });
}

function spoken(values, names) {
  const leader = (value) => (value > 0.05 ? names[0] : value < -0.05 ? names[1] : "nobody");
  const turns = [];
  values.forEach((value, at) => {
    const name = leader(value);
    if (name !== turns.at(-1)?.name) turns.push({ name, at });
  });
  return `Who was winning: ${turns.map(({ name, at }) => (at ? `after move ${at} ${name}` : `at the start ${name}`)).join(", ")}.`;
}
