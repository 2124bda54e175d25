"""A field holds a list."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenUnhashable(Heap):
    """A field holds a list."""

    taken: list[int] | None = None

    def apply(self, move: str) -> Self:
        taken = [*(self.taken or []), int(move[-1])]
        return replace(Heap.apply(self, move), taken=taken)
