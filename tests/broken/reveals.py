"""The text of a move reveals the secret."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import HIDDEN, Position
from duelbook.hidden import Hidden


@dataclass(frozen=True, slots=True)
class BrokenReveals(Position):
    """The text of a move reveals the secret."""

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

    def tell(self, move: str, after: Self) -> str:
        return f"Somebody says {move}."
