"""What the fields of a position may hold, as a game declares it in RANGES.

A field, or each item of a tuple, holds whole numbers of a `range`, a seat or None (`OWNER`), some
numbers of a range (`Subset`), or one of several things that are listed in a tuple. Items of a
pair belong to the seats; anything else with two items needs two fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Owner:
    """A seat, or None for nobody."""


@dataclass(frozen=True, slots=True)
class Subset:
    """Some numbers of a range, each at most once, in a tuple of any length."""

    numbers: range


OWNER: Final = Owner()
Range = range | Owner | Subset | tuple[object, ...]
