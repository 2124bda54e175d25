"""A field holds a list."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import Position


@dataclass(frozen=True, slots=True)
class BrokenUnhashable(Position):
    """A field holds a list."""

    ACTIONS = ("take 1", "take 2")
    heap: int = 5
    taken: list[int] | None = None

    def moves(self) -> list[str]:
        return [f"take {n}" for n in (1, 2) if n <= self.heap]

    def apply(self, move: str) -> Self:
        taken = [*(self.taken or []), int(move[-1])]
        heap = self.heap - int(move[-1])
        return replace(self, to_move=1 - self.to_move, heap=heap, taken=taken)

    def winner(self) -> int | None:
        return None if self.heap else 1 - self.to_move
