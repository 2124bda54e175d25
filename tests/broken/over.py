"""Moves are left after the game is won."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenOver(Heap):
    """Moves are left after the game is won."""

    def winner(self) -> int | None:
        return None if self.heap > 1 else 1 - self.to_move
