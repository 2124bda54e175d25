"""A move is not in lower case."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenSpelling(Heap):
    """A move is not in lower case."""

    ACTIONS = ("Take 1", "take 2")

    def moves(self) -> list[str]:
        return [m for m in self.ACTIONS if int(m[-1]) <= self.heap]
