"""Playing changes the position that is played from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenChanges(Heap):
    """Playing changes the position that is played from."""

    def apply(self, move: str) -> Self:
        after = Heap.apply(self, move)
        if self.heap == 3:
            object.__setattr__(self, "heap", 2)
        return after
