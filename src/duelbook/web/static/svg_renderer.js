// Drawing again and again with the same elements: what has the same key changes, and is not made
// anew, so that style sheets can animate the change.

import { svg } from "./dom.js";
import { fit } from "./fit_text.js";

const LEAVING = 450;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Pen {
  constructor(root, { can, chosen, name }) {
    Object.assign(this, { root, can, chosen, name, nodes: new Map(), fresh: true });
  }

  // Draws by calling `draw`, then takes away what was not drawn this time.
  frame(draw) {
    this.seen = new Set();
    this.filled = new Map();
    draw();
    for (const [key, node] of this.nodes) {
      if (this.seen.has(key)) continue;
      this.nodes.delete(key);
      if (node.classList.contains("piece") && !still.matches && !this.fresh) {
        node.classList.add("leaving");
        setTimeout(() => node.remove(), LEAVING);
      } else node.remove();
    }
    this.fresh = false;
  }

  // `attrs.at` is `[x, y, degrees]`; a `piece` comes and goes visibly.
  put(parent, key, tag, { at, ...attrs } = {}) {
    let node = this.nodes.get(key);
    if (!node) {
      node = svg(tag);
      this.nodes.set(key, node);
      if (!this.fresh && /\bpiece\b/.test(attrs.class ?? "")) attrs.class += " coming";
    } else if (node.classList.contains("coming")) attrs.class += " coming";
    this.seen.add(key);
    const before = this.filled.get(parent) ?? null;
    const follows = before ? before.nextSibling : parent.firstChild;
    if (node.parentNode !== parent) parent.insertBefore(node, follows);
    this.filled.set(parent, node);
    for (const [name, value] of Object.entries(attrs)) {
      const shown = typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
      if (shown === null || shown === undefined || shown === false) node.removeAttribute(name);
      else if (node.getAttribute(name) !== shown) node.setAttribute(name, shown);
    }
    if (at) {
      const [x, y, turn = 0] = at;
      node.style.transform = `translate(${x}px, ${y}px) rotate(${turn}deg)`;
    }
    return node;
  }

  group(parent, key, attrs) {
    return this.put(parent, key, "g", attrs);
  }

  // Words too long for `room` pixels are made to fit.
  text(parent, key, x, y, words, kind = "", { anchor = "middle", room = Infinity, size = null } = {}) {
    const node = this.put(parent, key, "text", { x, y, class: `word ${kind}`, "text-anchor": anchor });
    const wanted = `${kind} ${room} ${words}`;
    if (node.wanted !== wanted) fit(node, String(words), room);
    node.wanted = wanted;
    if (size) node.style.fontSize = `${size}px`;
    return node;
  }

  // How long a text is in pixels.
  length(parent, words, kind) {
    const node = parent.appendChild(svg("text", { class: `word ${kind}` }, words));
    const long = node.getComputedTextLength();
    node.remove();
    return long;
  }

  // A group that can be pointed at, where its words begin or continue a legal move.
  thing(parent, key, says, attrs = {}) {
    const active = Boolean(says) && this.can(says);
    const chosen = active && this.chosen(says);
    const kinds = [attrs.class, "thing", active && "can", chosen && "chosen"];
    return this.group(parent, key, {
      ...attrs,
      class: kinds.filter(Boolean).join(" "),
      role: active ? "button" : null,
      tabindex: active ? "-1" : null,
      "aria-label": active ? says : null,
      "aria-pressed": active ? String(chosen) : null,
      "data-says": active ? says : null,
    });
  }

  // A shape in a seat's colour; the second seat's is hatched too, so that it needs no colours.
  solid(parent, key, tag, seat, { class: kind = "", ...attrs }) {
    const of = seat === null || seat === undefined ? "nobody" : `seat${seat}`;
    const node = this.put(parent, key, tag, { ...attrs, class: `solid ${of} ${kind}` });
    if (seat === 1) {
      const { at, ...rest } = attrs;
      this.put(parent, `${key}/hatch`, tag, { ...rest, ...(at && { at }), class: "hatch", fill: `url(#${this.hatch})` });
    }
    return node;
  }

  // The sign of a seat.
  sign(parent, key, seat, x, y, size, kind = "") {
    if (seat === null || seat === undefined) return;
    const d = seat === 0 ? disc(size) : `M0 ${-size * 1.2}L${size * 1.2} 0L0 ${size * 1.2}L${-size * 1.2} 0z`;
    this.put(parent, key, "path", { d, at: [x, y], class: `sign seat${seat} ${kind}` });
  }
}

export function disc(r) {
  return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}
