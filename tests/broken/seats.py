"""The winner is called by number, from 1."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenSeats(Heap):
    """The winner is called by number, from 1."""

    def winner(self) -> int | None:
        return None if self.heap else 2
