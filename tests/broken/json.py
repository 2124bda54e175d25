"""A field holds what JSON cannot."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenJson(Heap):
    """A field holds what JSON cannot."""

    weight: complex = 0j
