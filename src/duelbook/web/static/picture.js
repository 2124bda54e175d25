// A scene as one picture: shapes of a kind are drawn together, one band below the other.

import { svg } from "./dom.js";
import { Pen } from "./svg_renderer.js";
import { bars, board, boxes, lines, piles } from "./plain_shapes.js";
import { hoard } from "./coins.js";
import { road } from "./track.js";
import { seascape } from "./islands.js";
import { sky } from "./planets.js";
import { towers } from "./towers.js";

const BANDS = [
  [seascape, ({ shape, form }) => (shape === "gauge" && form === "island") || (shape === "stack" && form === "sea")],
  [towers, ({ shape, form }) => shape === "gauge" && form === "tower"],
  [sky, ({ shape, form }) => shape === "slots" && (form === "planets" || form === "ships")],
  [hoard, ({ shape, form }) => shape === "stack" && (form === "coins" || form === "envelope")],
  [road, ({ shape }) => shape === "track"],
  [piles, ({ shape }) => shape === "stack"],
  [bars, ({ shape }) => shape === "gauge"],
  [boxes, ({ shape }) => shape === "slots"],
  [board, ({ shape }) => shape === "board"],
  [lines, ({ shape }) => shape === "text"],
];
const GAP = 14;
let pictures = 0;

export class Picture {
  // `point(words, event)` is called when something is pointed at; `can` and `chosen` ask about words.
  constructor(box, { label = "", point, can = () => false, chosen = () => false, name = (t) => t } = {}) {
    pictures += 1;
    this.box = box;
    this.root = svg("svg", { class: "picture", focusable: "false" });
    if (point) {
      this.root.setAttribute("role", "group");
      this.root.setAttribute("aria-label", label);
    } else this.root.setAttribute("aria-hidden", "true");
    this.root.append(hatching(pictures));
    this.ground = svg("g");
    this.root.append(this.ground);
    box.append(this.root);
    this.pen = new Pen(this.ground, { can, chosen, name });
    this.pen.hatch = `hatch-${pictures}`;
    this.pen.shine = `shine-${pictures}`;
    if (point) {
      const said = (event) => event.target.closest("[data-says]")?.dataset.says;
      this.root.addEventListener("click", (event) => said(event) && point(said(event), event));
      this.root.addEventListener("keydown", (event) => {
        if ((event.key === "Enter" || event.key === " ") && said(event)) {
          event.preventDefault();
          point(said(event), event);
        } else this.walk(event);
      });
      this.root.addEventListener("focusin", (event) => this.stand(event.target.closest("[data-says]")));
    }
    new ResizeObserver(() => this.width() !== this.drawn && this.show(this.scene)).observe(box);
  }

  // All that can be pointed at is one stop of the Tab key, and the arrows go from one to the next.
  walk(event) {
    const things = this.things();
    const at = things.indexOf(event.target.closest("[data-says]"));
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (at < 0 || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    things[(at + step + things.length) % things.length].focus({ preventScroll: true });
  }

  things() {
    return [...this.root.querySelectorAll("[data-says]")];
  }

  // Makes one thing the stop of the Tab key: the one given, or the one before, or the first.
  stand(wanted) {
    const things = this.things();
    if (wanted) this.stop = wanted.dataset.says;
    const stop = wanted ?? things.find(({ dataset }) => dataset.says === this.stop) ?? things[0];
    for (const thing of things) thing.setAttribute("tabindex", thing === stop ? "0" : "-1");
    return stop;
  }

  // Says whether there was something to put the focus on.
  focus() {
    const stop = this.stand();
    stop?.focus({ preventScroll: true });
    return Boolean(stop);
  }

  width() {
    return Math.round(this.box.clientWidth);
  }

  show(scene) {
    this.scene = scene;
    const width = this.width();
    if (!scene || width < 40) return;
    if (this.drawn !== width) this.pen.fresh = true;
    this.drawn = width;
    const bands = grouped(scene);
    this.pen.frame(() => {
      let top = 0;
      for (const { draw, items, key } of bands) {
        const band = this.pen.group(this.ground, `band${key}`, { at: [0, top] });
        top += draw(this.pen, band, items, width) + GAP;
      }
      this.root.setAttribute("viewBox", `0 0 ${width} ${Math.max(top - GAP, 20)}`);
    });
    this.stand();
  }
}

// Shapes with the place they have in the scene, by the band that draws them.
function grouped(scene) {
  const bands = new Map();
  scene.forEach((shape, key) => {
    const kind = BANDS.findIndex(([, takes]) => takes(shape));
    if (kind < 0) return;
    const [draw] = BANDS[kind];
    if (!bands.has(kind)) bands.set(kind, { draw, items: [], key: kind });
    bands.get(kind).items.push({ ...shape, key });
  });
  return [...bands.values()];
}

function hatching(number) {
  const line = svg("path", { d: "M-1 7L7 -1M1 9L9 1", class: "hatch-line" });
  const pattern = { id: `hatch-${number}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" };
  const glow = svg(
    "radialGradient",
    { id: `shine-${number}`, cx: "35%", cy: "30%", r: "75%" },
    svg("stop", { offset: "0%", class: "shine-from" }),
    svg("stop", { offset: "100%", class: "shine-to" }),
  );
  return svg("defs", {}, svg("pattern", pattern, line), glow);
}
