"""`Outcome`: the winner of a game, the reason and the payoff."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal


class Draw(Enum):
    """The type of `DRAW`, which `winner` returns when a game is over and nobody has won."""

    DRAW = "draw"

    def __repr__(self) -> str:
        return "DRAW"

    __str__ = __repr__


DRAW: Final = Draw.DRAW
Reason = Literal["rules", "ruling", "resignation", "time", "left", "agreement", "cut", "aborted"]
"""The reason for the end of a game: the book's rules, a ruling where the book is silent, a
resignation, the clock, a player who left, an agreement of both players, a cut at a limit, or an
abort at the start.
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game; a game in progress has none."""

    winner: int | None
    """The seat that has won, or None for a draw."""
    by: Reason = "rules"
    paid: float | None = None
    """The payoff of Player 1 in a game with scores; Player 2 has its negative."""

    @property
    def payoffs(self) -> tuple[float, float]:
        """The payoff of each seat: 1, -1 or 0 (a draw), or the score of a game with scores."""
        if self.paid is not None:
            return float(self.paid), 0.0 - self.paid
        if self.winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if self.winner == 0 else (-1.0, 1.0)
