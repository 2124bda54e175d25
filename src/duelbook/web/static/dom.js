// Making elements. Text always becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(2).filter((child) => child || child === 0));
  return node;
}

export function button(text, onclick, props = {}) {
  return el("button", { type: "button", onclick, ...props }, text);
}

// The sign of a seat: a disc for the first, a diamond for the second, whatever the colours.
export function mark(seat) {
  const shape =
    seat === 0
      ? svg("circle", { cx: 8, cy: 8, r: 6 })
      : svg("path", { d: "M8 1l7 7-7 7-7-7z" });
  const props = { class: `mark seat${seat}`, viewBox: "0 0 16 16", "aria-hidden": "true" };
  return svg("svg", props, shape);
}

// Puts new children into a box, and the focus back on what has the same `data-key` as before.
export function refill(box, ...children) {
  const had = box.contains(document.activeElement) ? document.activeElement : null;
  box.replaceChildren(...children.flat(2).filter(Boolean));
  if (!had) return true;
  const key = had.dataset.key;
  const again = key && box.querySelector(`[data-key="${CSS.escape(key)}"]`);
  again?.focus({ preventScroll: true });
  return Boolean(again) && document.activeElement === again;
}
