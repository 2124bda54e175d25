// Reserves of coins on a table, and envelopes with what is revealed later.

const PILE = 5;
const MOST_COINS = 45;

export function hoard(pen, g, items, width) {
  const height = Math.min(Math.max(width * 0.42, 276), 300);
  const reserves = items.filter(({ form }) => form === "coins");
  const envelopes = items.filter(({ form }) => form === "envelope");
  pen.put(g, "room", "rect", { width, height, rx: 14, class: "room" });
  pen.put(g, "cloth", "ellipse", { cx: width / 2, cy: height * 0.575, rx: width * 0.485, ry: height * 0.3, class: "cloth-edge" });
  pen.put(g, "felt", "ellipse", { cx: width / 2, cy: height * 0.555, rx: width * 0.47, ry: height * 0.28, class: "felt" });
  reserves.forEach((item, at) => {
    const middle = (width * (2 * at + 1)) / (2 * reserves.length);
    reserve(pen, g, item, middle, width / reserves.length, height);
  });
  envelopes.forEach((item, at) => {
    const x = (width * (at + 1)) / (envelopes.length + 1);
    envelope(pen, g, item, x, height * 0.26, width / envelopes.length - 24);
  });
  pen.put(g, "edge", "rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 14, class: "frame" });
  return height;
}

function reserve(pen, g, { key, label, count, seat, says }, middle, room, height) {
  const known = count ?? 0;
  const shown = Math.min(known, MOST_COINS);
  const rx = Math.min(23, room / 8.2);
  const ry = rx * 0.4;
  const thick = Math.max(7.5, rx * 0.42);
  const floor = height - 124;
  const box = pen.thing(g, `reserve${key}`, says, { class: `reserve seat${seat}`, at: [middle, 0] });
  pen.put(box, `reserve${key}/reach`, "rect", { x: -room * 0.44, y: floor - 66, width: room * 0.88, height: 98, rx: 12, class: "reach halo" });
  const places = [[-1.1, 0], [1.1, 0], [0, 1.9], [-2.2, 1.9], [2.2, 1.9], [-1.1, -1.7], [1.1, -1.7], [-3.3, 0], [3.3, 0]];
  const piles = Math.ceil(shown / PILE);
  const order = [...Array(piles).keys()].sort((a, b) => places[a % 9][1] - places[b % 9][1]);
  for (const pile of order) {
    const [dx, dy] = piles === 1 ? [0, 0.4] : places[pile % 9];
    const stack = pen.group(box, `reserve${key}/pile${pile}`, { class: "pile", at: [dx * rx, floor - 4 + dy * ry * 1.3] });
    pen.put(stack, `reserve${key}/pile${pile}/shadow`, "ellipse", { cx: 2, cy: 3, rx: rx + 2, ry: ry + 2, class: "shadow" });
    for (let n = pile * PILE; n < Math.min(shown, (pile + 1) * PILE); n += 1) {
      const up = -(n % PILE) * thick;
      const coin = pen.group(stack, `reserve${key}/coin${n}`, { class: "piece coin" });
      const side = `M${-rx} ${up - thick}v${thick}a${rx} ${ry} 0 0 0 ${2 * rx} 0v${-thick}z`;
      pen.solid(coin, `reserve${key}/coin${n}/side`, "path", seat, { d: side, class: "rim" });
      pen.put(coin, `reserve${key}/coin${n}/top`, "ellipse", { cy: up - thick, rx, ry, class: "coin-face" });
      pen.put(coin, `reserve${key}/coin${n}/inner`, "ellipse", { cy: up - thick, rx: rx * 0.72, ry: ry * 0.7, class: "coin-ring" });
      if (seat !== undefined) {
        const sign = pen.group(coin, `reserve${key}/coin${n}/flat`, { transform: `translate(0 ${up - thick}) scale(1 0.42)` });
        pen.sign(sign, `reserve${key}/coin${n}/sign`, seat, 0, 0, rx * 0.3);
      }
    }
  }
  pen.text(box, `reserve${key}/count`, 0, floor + 52, count ?? "sealed", "onfelt number");
  pen.sign(box, `reserve${key}/sign`, seat, 0, height - 30, 4.5);
  pen.text(box, `reserve${key}/label`, 0, height - 9, pen.name(label), "onroom small", { room: room - 16 });
}

function envelope(pen, g, { key, label, count, seat }, x, y, room) {
  const side = seat === undefined ? 0 : seat ? 1 : -1;
  const outer = pen.group(g, `envelope${key}`, { class: `piece envelope from${side} seat${seat}` });
  const box = pen.group(outer, `envelope${key}/at`, { transform: `translate(${x} ${y}) rotate(-3)` });
  pen.put(box, `envelope${key}/shadow`, "rect", { x: -47, y: -27, width: 98, height: 64, rx: 4, class: "shadow" });
  pen.put(box, `envelope${key}/paper`, "rect", { x: -50, y: -32, width: 100, height: 64, rx: 4, class: "paper" });
  pen.put(box, `envelope${key}/folds`, "path", { d: "M-50 30L-10 -2M50 30L10 -2", class: "fold" });
  pen.put(box, `envelope${key}/flap`, "path", { d: "M-50 -30Q-48 -32 -46 -32H46Q48 -32 50 -30L4 4Q0 7 -4 4z", class: "flap" });
  pen.solid(box, `envelope${key}/wax`, "circle", seat, { cy: 4, r: 14, class: "wax" });
  pen.put(box, `envelope${key}/badge`, "circle", { cy: 4, r: 10, class: "badge" });
  pen.text(box, `envelope${key}/count`, 0, 9, count ?? "?", "onglobe number");
  const words = count === null ? `${pen.name(label)}: sealed` : `${pen.name(label)}: ${count}`;
  pen.text(outer, `envelope${key}/label`, x, y - 42, words, "onroom small", { room });
}
