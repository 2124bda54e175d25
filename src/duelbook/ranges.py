"""The ranges of a position's fields, which a game declares in RANGES.

A field, or each item of a tuple, holds an integer of a `range`, a seat or None (`OWNER`), a subset
of a range (`Subset`), or one of several kinds of value, listed in a tuple. The two items of a pair
belong to the seats; use two fields for two values that do not.
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


OWNER: Final = Owner()
Range = range | Owner | Subset | tuple[object, ...]
