"""A view cannot be viewed again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook import HIDDEN
from unbroken_games import Guess


@dataclass(frozen=True, slots=True)
class BrokenView(Guess):
    """A view cannot be viewed again."""

    def view(self, seat: int) -> Self:
        if self.hand is HIDDEN:
            return replace(self, guess=2)
        return Guess.view(self, seat)
