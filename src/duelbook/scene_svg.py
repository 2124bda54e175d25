"""Draw a scene as SVG for notebooks, one row for each shape."""

from __future__ import annotations

from html import escape
from typing import assert_never

from duelbook.hidden import HIDDEN
from duelbook.scene import Gauge, Scene, Shape, Slots, Stack, Text, Track, label_of

ROW_HEIGHT, MARGIN, LABEL_WIDTH = 36, 12, 160
CELL, TRACK_CELL, GAP, CHARACTER = 26, 40, 4, 8.5
BAR_WIDTH, MAX_CHIPS = 300, 20
SEAT_COLOURS = ("#2166ac", "#c2570c")
COLOUR, PALE, INK, WHITE = "#5b6470", "#eef0f3", "#1b1f24", "#ffffff"


def scene_svg(scene: Scene, title: str) -> str:
    """Return a scene as an SVG document."""
    rows = [_row(shape) for shape in scene]
    width = LABEL_WIDTH + max((width for _, width in rows), default=0) + 2 * MARGIN
    height = ROW_HEIGHT * len(rows) + 2 * MARGIN
    body = "".join(
        f'<g transform="translate({MARGIN} {MARGIN + ROW_HEIGHT * number})">{drawing}</g>'
        for number, (drawing, _) in enumerate(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'width="{width:.0f}" height="{height}" font-family="sans-serif" font-size="14" role="img">'
        f"<title>{escape(title)}</title>"
        f'<rect width="100%" height="100%" rx="8" fill="{WHITE}"/>{body}</svg>'
    )


def _row(shape: Shape) -> tuple[str, float]:
    """Return the drawing of a shape with its label, and the width to the right of the label."""
    if isinstance(shape, Text):
        return _text(0, shape.words), CHARACTER * len(shape.words) - LABEL_WIDTH
    drawing, width = _drawing(shape)
    seat = None if isinstance(shape, Track) else shape.seat
    owner = "" if seat is None else f"Player {seat + 1}"
    label = _text(0, f"{owner} {label_of(shape)}".strip(), _colour(seat, INK))
    return f'{label}<g transform="translate({LABEL_WIDTH} 0)">{drawing}</g>', width


def _drawing(shape: Gauge | Stack | Slots | Track) -> tuple[str, float]:
    """Return the drawing of a shape without its label, and its width."""
    match shape:
        case Gauge():
            return _gauge(shape)
        case Stack():
            return _stack(shape)
        case Slots():
            return _slots(shape)
        case Track():
            return _track(shape)
        case _:
            assert_never(shape)


def _gauge(gauge: Gauge) -> tuple[str, float]:
    share = min(1, max(0, gauge.value / gauge.limit)) if gauge.limit else 0
    bar = _box(0, BAR_WIDTH, PALE) + _box(0, BAR_WIDTH * share, _colour(gauge.seat))
    amount = f"{gauge.value} / {gauge.limit}"
    return bar + _text(BAR_WIDTH + 10, amount), BAR_WIDTH + 10 + CHARACTER * len(amount)


def _stack(stack: Stack) -> tuple[str, float]:
    if stack.count is HIDDEN:
        return _box(0, CELL, PALE) + _centred(0, CELL, "?", INK), CELL
    chips, amount = min(stack.count, MAX_CHIPS), str(stack.count)
    circles = "".join(
        f'<circle cx="{14 * number + 6}" cy="18" r="6" fill="{_colour(stack.seat)}"/>'
        for number in range(chips)
    )
    width = chips * 14 + 6
    return circles + _text(width, amount), width + CHARACTER * len(amount)


def _slots(row: Slots) -> tuple[str, float]:
    drawing, x = "", 0.0
    for slot in row.slots:
        width = max(CELL, CHARACTER * len(slot.name) + 10)
        ink = INK if slot.seat is None else WHITE
        box = _box(x, width, _colour(slot.seat, PALE)) + _centred(x, width, slot.name, ink)
        drawing += f'<g opacity="0.3">{box}</g>' if slot.spent else box
        x += width + GAP
    return drawing, x


def _track(track: Track) -> tuple[str, float]:
    drawing, step = "", TRACK_CELL + GAP
    for place in range(track.last + 1):
        owner = track.bases.index(place) if place in track.bases else None
        frame = "" if owner is None else f' stroke="{_colour(owner)}" stroke-width="2"'
        units = " ".join(f"P{seat + 1}" for seat in (0, 1) if track.units[seat] == place)
        drawing += _box(place * step, TRACK_CELL, PALE, frame)
        drawing += _centred(place * step, TRACK_CELL, units or str(place), INK)
    return drawing, (track.last + 1) * step


def _colour(seat: int | None, neutral: str = COLOUR) -> str:
    return neutral if seat is None else SEAT_COLOURS[seat]


def _box(x: float, width: float, fill: str, attributes: str = "") -> str:
    size = f'x="{x:g}" y="5" width="{width:g}" height="{CELL}"'
    return f'<rect {size} rx="4" fill="{fill}"{attributes}/>'


def _text(x: float, words: str, fill: str = INK) -> str:
    return f'<text x="{x:g}" y="23" fill="{fill}">{escape(words)}</text>' if words else ""


def _centred(x: float, width: float, words: str, fill: str) -> str:
    place = f'x="{x + width / 2:g}" y="23" text-anchor="middle"'
    return f'<text {place} fill="{fill}">{escape(words)}</text>'
