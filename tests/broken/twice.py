"""A move is listed twice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import Position


@dataclass(frozen=True, slots=True)
class BrokenTwice(Position):
    """A move is listed twice."""

    ACTIONS = ("take 1", "take 2")
    heap: int = 5

    def moves(self) -> list[str]:
        return ["take 1", "take 1"] if self.heap else []

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, heap=self.heap - int(move[-1]))

    def winner(self) -> int | None:
        return None if self.heap else 1 - self.to_move
