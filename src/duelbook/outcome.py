"""How a game ended: who won or nobody, why, and what it pays to each seat."""

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
Reason = Literal["rules", "ruling", "resignation", "time"]
"""By the book's rules, by a ruling where the book is silent, by resignation, or on time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; a game that goes on has none."""

    winner: int | None
    """The seat that has won, or None for a draw."""
    by: Reason = "rules"

    @property
    def payoffs(self) -> tuple[float, float]:
        """What the game pays to each seat: 1 for a win, -1 for a loss, 0 for a draw."""
        if self.winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if self.winner == 0 else (-1.0, 1.0)
