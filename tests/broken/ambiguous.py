"""One move is the beginning of another."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenAmbiguous(Heap):
    """One move is the beginning of another."""

    ACTIONS = ("take 1", "take 1 more", "take 2")

    def moves(self) -> list[str]:
        return [m for m in self.ACTIONS if int(m.split()[1]) <= self.heap]
