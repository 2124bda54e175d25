"""A field leaves its declared range."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenRange(Heap):
    """A field leaves its declared range."""

    RANGES = {"heap": range(1, 6)}
