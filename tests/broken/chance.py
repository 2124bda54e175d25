"""A die decides where a move leads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import Position

DICE: list[int] = []


@dataclass(frozen=True, slots=True)
class BrokenChance(Position):
    """A die decides where a move leads."""

    ACTIONS = ("take 1", "take 2")
    heap: int = 5

    def moves(self) -> list[str]:
        return [f"take {n}" for n in (1, 2) if n <= self.heap]

    def apply(self, move: str) -> Self:
        DICE.append(0)
        taken = 1 + len(DICE) // 2 % int(move[-1])
        return replace(self, to_move=1 - self.to_move, heap=self.heap - taken)

    def winner(self) -> int | None:
        return None if self.heap else 1 - self.to_move
