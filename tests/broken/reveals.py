"""The text of a move reveals the secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from unbroken_games import Guess


@dataclass(frozen=True, slots=True)
class BrokenReveals(Guess):
    """The text of a move reveals the secret."""

    def tell(self, move: str, after: Self) -> str:
        return f"Somebody says {move}."
