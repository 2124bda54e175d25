"""Moves are left after the game is won."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import Position


@dataclass(frozen=True, slots=True)
class BrokenOver(Position):
    """Moves are left after the game is won."""

    ACTIONS = ("take 1", "take 2")
    heap: int = 5

    def moves(self) -> list[str]:
        return [f"take {n}" for n in (1, 2) if n <= self.heap]

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, heap=self.heap - int(move[-1]))

    def winner(self) -> int | None:
        return None if self.heap > 1 else 1 - self.to_move
