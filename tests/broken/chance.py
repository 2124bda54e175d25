"""A die decides where a move leads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from unbroken_games import Heap

DICE: list[int] = []


@dataclass(frozen=True, slots=True)
class BrokenChance(Heap):
    """A die decides where a move leads."""

    def apply(self, move: str) -> Self:
        DICE.append(0)
        taken = 1 + len(DICE) // 2 % int(move[-1])
        return Heap.apply(self, f"take {taken}")
