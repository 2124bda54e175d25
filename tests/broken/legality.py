"""What is legal gives the secret away."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Guess


@dataclass(frozen=True, slots=True)
class BrokenLegality(Guess):
    """What is legal gives the secret away."""

    def moves(self) -> list[str]:
        moves = Guess.moves(self)
        return moves[:1] if self.hand == 1 else moves
