"""Two games without a fault; each game in `tests/broken/` adds one.

The broken games call these classes by name: `slots=True` replaces the class that `super()` means.
`broken/stuck.py` is complete, because the sandbox of `audit` and `check` reads a single file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import HIDDEN, Position
from duelbook.hidden import Hidden


@dataclass(frozen=True, slots=True)
class Heap(Position):
    """Take one or two stones; the player who takes the last stone wins."""

    ACTIONS = ("take 1", "take 2")
    heap: int = 5

    def moves(self) -> list[str]:
        return [f"take {n}" for n in (1, 2) if n <= self.heap]

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, heap=self.heap - int(move.split()[1]))

    def winner(self) -> int | None:
        return None if self.heap else 1 - self.to_move


@dataclass(frozen=True, slots=True)
class Guess(Position):
    """One player hides a number, and the other guesses it."""

    ACTIONS = ("hide 1", "hide 2", "guess 1", "guess 2")
    hand: int | Hidden = 0
    guess: int = 0

    def moves(self) -> list[str]:
        if self.guess:
            return []
        if self.hand == 0:
            return ["hide 1", "hide 2"]
        return ["guess 1", "guess 2"]

    def apply(self, move: str) -> Self:
        word, number = move.split()
        if word == "hide":
            return replace(self, to_move=1 - self.to_move, hand=int(number))
        return replace(self, guess=int(number))

    def winner(self) -> int | None:
        if not self.guess:
            return None
        return self.to_move if self.guess == self.hand else 1 - self.to_move

    def view(self, seat: int) -> Self:
        hidden = self.hand and not self.guess and seat == self.to_move
        return replace(self, hand=HIDDEN) if hidden else self
