"""Winning raises an exception."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenRaises(Heap):
    """Winning raises an exception."""

    def apply(self, move: str) -> Self:
        if self.heap == 1:
            raise KeyError("the last stone")
        return Heap.apply(self, move)
