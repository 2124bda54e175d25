// The animation that reveals two hidden choices as cards side by side.

import { svg } from "./dom.js";
import { disc } from "./svg_renderer.js";

/** @import { Seat } from "./protocol.js" */

const WIDTH = 76;
const HEIGHT = 98;
const GAP = 14;

/**
 * Return the back and the front of each card, with their animations. The larger number grows.
 *
 * @param {{ seat: Seat, count: number }[]} cards
 * @param {[number, number]} middle
 */
export function turningCards(cards, [middle, y]) {
  const most = Math.max(...cards.map(({ count }) => count));
  return cards.flatMap(({ seat, count }, at) => {
    const x = middle + (at - (cards.length - 1) / 2) * (WIDTH + GAP);
    const pose = (up = 0, across = 1, size = 1) =>
      `translate(${x}px, ${y - up}px) scale(${across * size}, ${size})`;
    const edge = pose(0, 0.01);
    const shown = pose(0, 1, count === most ? 1.12 : 0.94);
    const back = [
      { transform: pose(40), opacity: 0 },
      { transform: pose(), opacity: 1, offset: 0.15 },
      { transform: pose(), opacity: 1, offset: 0.3 },
      { transform: edge, opacity: 1, offset: 0.37 },
      { transform: edge, opacity: 0, offset: 0.371 },
      { transform: edge, opacity: 0 },
    ];
    const front = [
      { transform: edge, opacity: 0 },
      { transform: edge, opacity: 0, offset: 0.37 },
      { transform: edge, opacity: 1, offset: 0.371 },
      { transform: pose(), opacity: 1, offset: 0.45 },
      { transform: shown, opacity: 1, offset: 0.6 },
      { transform: shown, opacity: 1, offset: 0.9 },
      { transform: shown, opacity: 0 },
    ];
    return [
      { node: card(seat, "?", "back"), frames: back },
      { node: card(seat, `${count}`, "front"), frames: front },
    ];
  });
}

/**
 * @param {Seat} seat
 * @param {string} words
 * @param {"back" | "front"} side
 */
function card(seat, words, side) {
  const box = { x: -WIDTH / 2, y: -HEIGHT / 2, width: WIDTH, height: HEIGHT, rx: 9 };
  const mark = seat === 0 ? disc(6) : "M0 -8L8 0L0 8L-8 0z";
  return svg(
    "g",
    { class: `choice-card ${side} seat${seat}` },
    svg("rect", { ...box, class: "choice-card-face" }),
    svg("path", {
      d: mark,
      transform: `translate(0 ${-HEIGHT / 2 + 18})`,
      class: "choice-card-mark",
    }),
    svg(
      "text",
      { y: 20, class: "picture-text choice-card-number", "text-anchor": "middle" },
      words,
    ),
  );
}
