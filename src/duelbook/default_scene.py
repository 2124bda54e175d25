"""The default picture of a field, chosen by the type of its value."""

from __future__ import annotations

from typing import TypeGuard

from duelbook.hidden import HIDDEN
from duelbook.scene import Gauge, Shape, Slot, Slots, Stack, Text

MAX_DRAWN = 30
"""The maximum size of a pile, and the maximum width of a row in characters."""


def shapes_of(name: str, value: object, at_first: object) -> list[Shape]:
    """Return shapes for a field, from its value and its value at the start.

    A number becomes a pile, or a bar if it was positive at the start. A pair that was a pair at the
    start becomes one shape for each seat. Another tuple becomes a row. Other values become text.
    """
    if (
        isinstance(value, tuple)
        and isinstance(at_first, tuple)
        and len(value) == len(at_first) == 2
    ):
        parts = [_shape_of(name, value[s], at_first, s) for s in (0, 1)]
        if parts[0] and parts[1]:
            return [parts[0], parts[1]]
    shape = _shape_of(name.capitalize(), value, (at_first,), None)
    return [shape or Text(f"{name.capitalize()}: {value_text(value)}")]


def _shape_of(
    label: str, value: object, at_first: tuple[object, ...], seat: int | None
) -> Shape | None:
    """Return the shape of one value; the bars of both seats have the same scale."""
    if value is HIDDEN:
        return Stack(label, HIDDEN, seat)
    if _is_count(value):
        full = max([first for first in at_first if _is_count(first)], default=0)
        if full or value > MAX_DRAWN:
            return Gauge(label, value, max(value, full), seat)
        return Stack(label, value, seat)
    if isinstance(value, tuple) and not any(isinstance(item, tuple) for item in value):
        names = [value_text(item) for item in value]
        if sum(map(len, names)) <= MAX_DRAWN:
            return Slots(label, tuple(map(Slot, names)), seat)
    return None


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and value >= 0


def value_text(value: object) -> str:
    """Return the value of a field as text."""
    if value is None or value == ():
        return "none"
    if value is HIDDEN:
        return "hidden"
    if isinstance(value, tuple):
        texts = ((item, value_text(item)) for item in value)
        return ", ".join(f"({text})" if isinstance(item, tuple) else text for item, text in texts)
    return str(value)
