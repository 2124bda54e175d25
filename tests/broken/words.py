"""A text method raises an error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import Position


@dataclass(frozen=True, slots=True)
class BrokenWords(Position):
    """A text method raises an error."""

    ACTIONS = ("take 1", "take 2")
    heap: int = 5

    def moves(self) -> list[str]:
        return [f"take {n}" for n in (1, 2) if n <= self.heap]

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, heap=self.heap - int(move[-1]))

    def winner(self) -> int | None:
        return None if self.heap else 1 - self.to_move

    def tell(self, move: str, after: Self) -> str:
        return f"{move} of {100 // (after.heap - 1)}"
