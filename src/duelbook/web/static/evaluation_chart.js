// The chart of who was winning: up for the first player, down for the second.

import { chartScale, describeChart, pointsWithCrossings } from "./chart_geometry.js";
import { svg } from "./dom.js";
import { fitText } from "./fit_text.js";
import { REVIEW } from "./strings.js";

/** @import { Judgement } from "./protocol.js" */

const [HEIGHT, SIDE, END] = [150, 10, 20];
const MIN_WIDTH = 240;

export class EvaluationChart {
  #cursor = svg("path", { class: "cursor" });

  /**
   * @param {HTMLElement} box
   * @param {{ values: number[], mistakes: Judgement[], names: string[] }} chart
   * @param {(at: number) => void} onSelect called with the number of a move
   */
  constructor(box, { values, mistakes, names }, onSelect) {
    const width = Math.max(box.clientWidth, MIN_WIDTH);
    const scale = chartScale(values.length, { width, height: HEIGHT, side: SIDE, end: END });
    this.x = scale.x;
    const point = (/** @type {number} */ at, /** @type {number} */ value) =>
      `${scale.x(at).toFixed(1)} ${scale.y(value).toFixed(1)}`;
    const corners = pointsWithCrossings(values);
    const area = (/** @type {(value: number) => number} */ clip) => {
      const top = corners.map(([at, value]) => point(at, clip(value)));
      return `M${[point(0, 0), ...top, point(values.length - 1, 0)].join("L")}z`;
    };
    const marks = mistakes.map(({ number }) => {
      const cy = scale.y(values[Math.min(number, values.length - 1)]);
      return svg("circle", { class: "mistake-dot", cx: scale.x(number), cy, r: 5 });
    });
    const labels = [12, HEIGHT - 3].map((y) => svg("text", { x: SIDE, y }));
    const viewBox = `0 0 ${width} ${HEIGHT}`;
    const line = values.map((value, at) => point(at, value)).join("L");
    const root = svg(
      "svg",
      { class: "chart", viewBox, role: "img", "aria-label": describeChart(values, names) },
      svg("path", { class: "area0", d: area((value) => Math.max(value, 0)) }),
      svg("path", { class: "area1", d: area((value) => Math.min(value, 0)) }),
      svg("path", { class: "zero", d: `M${SIDE} ${scale.y(0)}H${width - SIDE}` }),
      svg("path", { class: "path", d: `M${line}` }),
      marks,
      this.#cursor,
      labels,
    );
    root.addEventListener("click", (event) => {
      const shown = root.getBoundingClientRect();
      onSelect(scale.moveAt(((event.clientX - shown.left) / shown.width) * width));
    });
    box.replaceChildren(root);
    labels.forEach((label, seat) => {
      fitText(label, REVIEW.isWinning(names[seat]), width - 2 * SIDE);
    });
  }

  /**
   * Mark a move.
   *
   * @param {number} at
   */
  mark(at) {
    this.#cursor.setAttribute("d", `M${this.x(at)} ${END}V${HEIGHT - END}`);
  }
}
