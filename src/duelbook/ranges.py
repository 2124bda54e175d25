"""The ranges of a position's fields, which a game declares in RANGES.

The range of a field, or of each item of a tuple, is one of these:

- a `range` of integers;
- `OWNER`: a seat or None;
- `Subset`: a subset of a range;
- `UpTo`: a tuple that grows or shrinks;
- a tuple of several kinds of value, in which a word stands for itself.

The two items of a pair belong to the two seats. Use two fields for two values that do not.
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
    """The values of each item; here `OWNER` means a seat, never None."""


OWNER: Final = Owner()
Range = range | Owner | Subset | UpTo | tuple[object, ...]
