"""Draw a scene in a few lines of text, at most 80 columns wide."""

from __future__ import annotations

from typing import assert_never

from click import style

from duelbook.hidden import HIDDEN
from duelbook.play.names import named
from duelbook.scene import Gauge, Scene, Shape, Slot, Slots, Stack, Text, Track, label_of
from duelbook.terminal.console.seat_colours import SEAT_COLOURS

MAX_BAR_WIDTH = 30


def draw(scene: Scene, names: tuple[str, str]) -> str:
    """Return the scene as text with every value written out, not shown by colour alone."""
    labels = [owned_label(shape, names) for shape in scene]
    width = max(map(len, labels), default=0)
    lines = []
    for label, shape in zip(labels, scene, strict=True):
        shown = _colour(f"{label:<{width}}  ", shape) if label else ""
        lines.append(f"  {shown}{_body(shape, names)}".rstrip())
    return "\n".join(lines)


def owned_label(shape: Shape, names: tuple[str, str]) -> str:
    """Return the label of a shape, after the name of its owner."""
    seat = getattr(shape, "seat", None)
    return label_of(shape) if seat is None else f"{names[seat]} {label_of(shape)}".rstrip()


def _body(shape: Shape, names: tuple[str, str]) -> str:
    match shape:
        case Gauge(_, value, limit):
            full = min(limit, MAX_BAR_WIDTH)
            filled = min(full, -(-value * full // limit))
            return f"{_colour('█' * filled, shape)}{'░' * (full - filled)} {value} of {limit}"
        case Stack(_, count):
            return "hidden" if count is HIDDEN else f"{_colour('●' * int(count), shape)} {count}"
        case Slots(_, slots):
            return " ".join(_slot(slot, shape) for slot in slots)
        case Track():
            return _track(shape)
        case Text(words):
            return named(words, names)
        case _:
            assert_never(shape)


def _slot(slot: Slot, row: Slots) -> str:
    """Return `[3]` for a free slot, `[3 P1]` for an owned one, `3` in a row, `·` if spent."""
    if slot.spent:
        return style("·", dim=True)
    if row.seat is not None:
        return _colour(slot.name, row)
    if slot.seat is None:
        return f"[{slot.name}]"
    return style(f"[{slot.name} P{slot.seat + 1}]", fg=SEAT_COLOURS[slot.seat], bold=True)


def _track(track: Track) -> str:
    cells = []
    for cell in range(track.last + 1):
        here = [seat for seat in (0, 1) if track.units[seat] == cell]
        if here:
            cells.append("".join(style(f"P{s + 1}", fg=SEAT_COLOURS[s], bold=True) for s in here))
        else:
            cells.append("⌂ " if cell in track.bases else "· ")
    return " ".join(cells)


def _colour(text: str, shape: Shape) -> str:
    seat = getattr(shape, "seat", None)
    return text if seat is None else style(text, fg=SEAT_COLOURS[seat])
