"""A move leads to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenApply(Heap):
    """A move leads to nothing."""

    def apply(self, move: str) -> Self:
        return None if self.heap == 3 else Heap.apply(self, move)  # type: ignore[return-value]
