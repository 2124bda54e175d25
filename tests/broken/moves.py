"""A return is forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenMoves(Heap):
    """A return is forgotten."""

    def moves(self) -> list[str]:
        [f"take {n}" for n in (1, 2) if n <= self.heap]  # type: ignore[return-value]
