"""A text method raises an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenWords(Heap):
    """A text method raises an error."""

    def tell(self, move: str, after: Self) -> str:
        return f"{move} of {100 // (after.heap - 1)}"
