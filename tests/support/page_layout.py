"""The layout of a page: visibility without scrolling, sizes, and moved elements.

`measure` measures a page; `PageLayout` checks and compares the measurements.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Page

MIN_TARGET_PIXELS = 44
MIN_TEXT_PIXELS = 12
SIZES = {"phone": (360, 740), "phone on its side": (740, 360), "desktop": (1280, 800)}

_MEASURE = """() => {
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
    (node) => shown(node) && !node.matches(".skip-link"),
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

# Return the targets in pictures whose outline has a low contrast to its surroundings.
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
  const ratio = (first, second) => {
    const [high, low] = [luminance(first), luminance(second)].sort((a, b) => b - a);
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
    """The place and size of an element."""

    x: float
    y: float
    width: float
    height: float

    def is_inside(self, width: float, height: float) -> bool:
        """Return whether the box is inside a window of this size, within half a pixel."""
        right, bottom = self.x + self.width, self.y + self.height
        return min(self.x, self.y) >= -0.5 and right <= width + 0.5 and bottom <= height + 0.5

    def is_at(self, other: Box) -> bool:
        """Return whether the box has the place and size of another one, within a pixel."""
        pairs = zip(
            (self.x, self.y, self.width, self.height),
            (other.x, other.y, other.width, other.height),
            strict=True,
        )
        return all(abs(first - second) <= 1 for first, second in pairs)


@dataclass(frozen=True)
class PageLayout:
    """The boxes and texts of a page."""

    window: tuple[int, int]
    page: tuple[int, int]
    pressed: dict[str, Box] = field(default_factory=dict)
    parts: dict[str, Box] = field(default_factory=dict)
    texts: tuple[tuple[str, float], ...] = ()

    def outside(self, *parts: str) -> list[str]:
        """Return the parts and the controls that are not inside the window."""
        boxes = {name: self.parts.get(name, Box(-1, -1, 0, 0)) for name in parts} | self.pressed
        return [f"{name}: {box}" for name, box in boxes.items() if not box.is_inside(*self.window)]

    def small(self) -> list[str]:
        """Return the controls that are too small to tap, and the texts too small to read."""
        small = {
            name: box
            for name, box in self.pressed.items()
            if min(box.width, box.height) < MIN_TARGET_PIXELS - 0.5
        }
        tiny = [
            f"{text!r}: {size:.1f} px" for text, size in self.texts if size < MIN_TEXT_PIXELS - 0.1
        ]
        return [*(f"{name}: {box}" for name, box in small.items()), *tiny]

    def scrolls(self) -> bool:
        """Return whether the page is larger than its window."""
        return self.page[0] > self.window[0] or self.page[1] > self.window[1]

    def moved(self, before: PageLayout, *parts: str) -> list[str]:
        """Return the parts and the controls that moved, without those on the board."""
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


def measure(page: Page) -> PageLayout:
    """Measure a page after its pictures have the size of its window."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    data = page.evaluate(_MEASURE)
    return PageLayout(
        window=tuple(data["window"]),
        page=tuple(data["page"]),
        pressed={name: Box(**box) for name, box in data["pressed"]},
        parts={name: Box(**box) for name, box in data["parts"]},
        texts=tuple((text, size) for text, size in data["texts"]),
    )


def resize(page: Page, size: tuple[int, int]) -> None:
    """Set the size of the window."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})


def low_contrast_outlines(page: Page) -> list[str]:
    """Return the targets in pictures whose outline has a contrast below 3:1."""
    targets: list[str] = page.evaluate(_OUTLINES)
    return targets
