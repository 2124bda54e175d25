"""The ranges of a position's fields, which a game declares in RANGES.

A field, or each item of a tuple, holds an integer of a `range`, a seat or None (`OWNER`), a subset
of a range (`Subset`), a tuple that grows or shrinks (`UpTo`), or one of several kinds of value,
listed in a tuple: a word stands for itself. The two items of a pair belong to the seats; use two
fields for two values that do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Owner:
    """A seat, or None."""


@dataclass(frozen=True, slots=True)
class Subset:
    """A subset of a range, as a tuple of any length without duplicates."""

    numbers: range


@dataclass(frozen=True, slots=True)
class UpTo:
    """A tuple of at most `max_items` items in order, such as the bids so far."""

    max_items: int
    items: Range
    """The values of each item; `OWNER` means a seat here, not None."""


OWNER: Final = Owner()
Range = range | Owner | Subset | UpTo | tuple[object, ...]
