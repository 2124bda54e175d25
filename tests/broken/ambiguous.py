"""One move is the beginning of another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import Position


@dataclass(frozen=True, slots=True)
class BrokenAmbiguous(Position):
    """One move is the beginning of another."""

    ACTIONS = ("take 1", "take 1 more", "take 2")
    heap: int = 5

    def moves(self) -> list[str]:
        return [m for m in self.ACTIONS if int(m.split()[1]) <= self.heap]

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, heap=self.heap - int(move.split()[1]))

    def winner(self) -> int | None:
        return None if self.heap else 1 - self.to_move
