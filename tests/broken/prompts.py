"""A question gives the secret away."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Guess


@dataclass(frozen=True, slots=True)
class BrokenPrompts(Guess):
    """A question gives the secret away."""

    def ask(self, words: tuple[str, ...]) -> str:
        return f"Is it {self.hand}? "
