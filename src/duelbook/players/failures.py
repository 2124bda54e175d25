"""How asking for a move can fail: by the player, who forfeits the game, or by its provider."""

from __future__ import annotations

from typing import Literal, get_args

from duelbook.errors import DuelbookError

Kind = Literal["ILLEGAL", "UNPARSABLE", "EMPTY", "TRUNCATED", "TIMEOUT", "CRASHED"]
KINDS: tuple[Kind, ...] = get_args(Kind)
ABOUT: dict[Kind, str] = {
    "ILLEGAL": "It named a move that is not legal.",
    "UNPARSABLE": "Its answer could not be read.",
    "EMPTY": "Its answer was empty.",
    "TRUNCATED": "Its answer was cut off.",
    "TIMEOUT": "It did not move in time.",
    "CRASHED": "It broke down.",
}
"""A sentence on each kind that repeats nothing of what the player said."""
PROVIDER = "PROVIDER"
"""What a call says that failed for want of a provider."""


class Failure(DuelbookError):  # noqa: N818 # the word of the tables
    """A player has failed to move, by its own fault: it forfeits the game and no other."""

    def __init__(self, kind: Kind, said: str) -> None:
        super().__init__(kind, said)  # both, so that the error survives a trip between processes
        self.kind = kind
        self.said = said
        """What it said instead of a move, or a sentence on what it did."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.said}"


class ProviderError(DuelbookError):
    """The player's provider cannot be reached or refuses; play the game again."""
