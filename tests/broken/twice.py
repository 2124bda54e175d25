"""A move is listed twice."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenTwice(Heap):
    """A move is listed twice."""

    def moves(self) -> list[str]:
        return ["take 1", "take 1"] if self.heap else []
