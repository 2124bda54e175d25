"""A move is not in lower case."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import Position


@dataclass(frozen=True, slots=True)
class BrokenSpelling(Position):
    """A move is not in lower case."""

    ACTIONS = ("Take 1", "take 2")
    heap: int = 5

    def moves(self) -> list[str]:
        return [m for m in self.ACTIONS if int(m[-1]) <= self.heap]

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, heap=self.heap - int(move[-1]))

    def winner(self) -> int | None:
        return None if self.heap else 1 - self.to_move
