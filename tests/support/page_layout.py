"""Where things are on a page: what is seen without scrolling, how large it is, whether it stays.

`look` measures a page as it is now; the rest compares what it found.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Page

FINGER = 44
SMALLEST_TEXT = 12
SIZES = {"phone": (360, 740), "phone on its side": (740, 360), "desktop": (1280, 800)}

_LOOK = """() => {
  const shown = (node) =>
    node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !node.closest("[inert]");
  const box = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const frame = node.closest("[clip-path]") ? node.closest("svg") : node;
    const limit = frame.getBoundingClientRect(); // what is cut off is not there
    const [x, y] = [Math.max(left, limit.left), Math.max(top, limit.top)];
    const [width, height] = [Math.min(right, limit.right) - x, Math.min(bottom, limit.bottom) - y];
    return { x, y, width, height };
  };
  const nameOf = (node) => {
    const { testid, says, word, key } = node.dataset;
    const label = node.getAttribute("aria-label") ?? node.textContent.trim();
    if (says) return `on the board: ${says}`;
    if (word) return `choice: ${label}`;
    return testid ?? key ?? `${node.localName}: ${label}`;
  };
  const pressable = "button, a[href], input, select, summary, [role=tab], [data-says]";
  const pressed = [...document.querySelectorAll(pressable)].filter(
    (node) => shown(node) && !node.matches(".skip"),
  );
  const parts = [...document.querySelectorAll("[data-testid]")].filter(shown);
  const words = [...document.querySelectorAll("svg.picture text")].filter(
    (node) => shown(node) && node.textContent.trim(),
  );
  const sizeOf = (node) =>
    Number.parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().d;
  const { scrollWidth, scrollHeight } = document.documentElement;
  return {
    window: [innerWidth, innerHeight],
    page: [scrollWidth, scrollHeight],
    pressed: pressed.map((node) => [nameOf(node), box(node.closest("label") ?? node)]),
    parts: parts.map((node) => [node.dataset.testid, box(node)]),
    texts: words.map((node) => [node.textContent, sizeOf(node)]),
  };
}"""

# The outline of what can be tapped in a picture, against what is next to it.
_OUTLINES = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return { rgb: [red, green, blue], alpha: alpha / 255 };
  };
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  // What is painted at a point below some target, from the front to the back.
  const ground = (x, y, target) => {
    let [rgb, clear] = [[0, 0, 0], 1];
    for (const node of document.elementsFromPoint(x, y)) {
      if (target.contains(node)) continue;
      const style = getComputedStyle(node);
      const isShape = node instanceof SVGGeometryElement;
      if (node instanceof SVGElement && !isShape) continue;
      const paint = isShape ? style.fill : style.backgroundColor;
      if (paint === "none" || paint.startsWith("url")) continue;
      const found = channels(paint);
      rgb = rgb.map((value, at) => value + clear * found.alpha * found.rgb[at]);
      clear *= 1 - found.alpha;
    }
    return rgb;
  };
  const outlines = [...document.querySelectorAll("[data-says] .halo, .action-label .action-face")];
  return outlines.flatMap((node) => {
    const style = getComputedStyle(node);
    const target = node.closest("[data-says], .action-label");
    if (style.stroke === "none") return [];
    const { left, top, width, height } = node.getBoundingClientRect();
    const found = ratio(
      channels(style.stroke).rgb,
      ground(left - 2, Math.min(top + height / 2, innerHeight - 1), target),
    );
    return found < 3 ? [`${target.dataset.says ?? target.textContent}: ${found.toFixed(2)}`] : [];
  });
}"""


@dataclass(frozen=True)
class Box:
    """Where something is."""

    x: float
    y: float
    width: float
    height: float

    def is_inside(self, width: float, height: float) -> bool:
        """Whether it lies wholly in a window of this size, or half a pixel beside it."""
        right, bottom = self.x + self.width, self.y + self.height
        return min(self.x, self.y) >= -0.5 and right <= width + 0.5 and bottom <= height + 0.5

    def is_at(self, other: Box) -> bool:
        """Whether it is where another is, and as large."""
        pairs = zip(
            (self.x, self.y, self.width, self.height),
            (other.x, other.y, other.width, other.height),
            strict=True,
        )
        return all(abs(one - two) <= 1 for one, two in pairs)


@dataclass(frozen=True)
class Look:
    """What is seen of a page."""

    window: tuple[int, int]
    page: tuple[int, int]
    pressed: dict[str, Box] = field(default_factory=dict)
    parts: dict[str, Box] = field(default_factory=dict)
    texts: tuple[tuple[str, float], ...] = ()

    def outside(self, *parts: str) -> list[str]:
        """Return which of some parts, and of all that can be pressed, are not in the window."""
        wanted = {name: self.parts.get(name, Box(-1, -1, 0, 0)) for name in parts} | self.pressed
        return [f"{name}: {box}" for name, box in wanted.items() if not box.is_inside(*self.window)]

    def small(self) -> list[str]:
        """Return what is too small for a finger, or to be read."""
        small = {
            name: box
            for name, box in self.pressed.items()
            if min(box.width, box.height) < FINGER - 0.5
        }
        tiny = [
            f"{text!r}: {size:.1f} px" for text, size in self.texts if size < SMALLEST_TEXT - 0.1
        ]
        return [*(f"{name}: {box}" for name, box in small.items()), *tiny]

    def scrolls(self) -> bool:
        """Whether the page is larger than its window."""
        return self.page[0] > self.window[0] or self.page[1] > self.window[1]

    def moved(self, before: Look, *parts: str) -> list[str]:
        """Return what can be pressed now and before, or is one of some parts, and has moved.

        What is on the board moves with the game.
        """
        both = [
            *((name, before.parts, self.parts) for name in parts),
            *(
                (name, before.pressed, self.pressed)
                for name in before.pressed
                if "board" not in name
            ),
        ]
        return [
            f"{name}: {then[name]} -> {now[name]}"
            for name, then, now in both
            if name in then and name in now and not now[name].is_at(then[name])
        ]


def look(page: Page) -> Look:
    """Measure a page as it is now, once its pictures have the size of its window."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    seen = page.evaluate(_LOOK)
    return Look(
        window=tuple(seen["window"]),
        page=tuple(seen["page"]),
        pressed={name: Box(**box) for name, box in seen["pressed"]},
        parts={name: Box(**box) for name, box in seen["parts"]},
        texts=tuple((text, size) for text, size in seen["texts"]),
    )


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give the window another size."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})


def faint(page: Page) -> list[str]:
    """Return what can be tapped in a picture and has an outline of less than 3:1."""
    found: list[str] = page.evaluate(_OUTLINES)
    return found
