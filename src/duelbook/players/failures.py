"""Failures to move: by the player's own fault, or by its provider's."""

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
"""A sentence for each kind of failure, without the player's own words."""
PROVIDER = "PROVIDER"
"""The kind of failure of a call that the provider did not serve."""


class Failure(DuelbookError):  # noqa: N818 # the player's fault, not an error of ours
    """A player failed to move by its own fault; it forfeits this game and no other."""

    def __init__(self, kind: Kind, reason: str) -> None:
        super().__init__(kind, reason)  # both, for pickling between processes
        self.kind = kind
        self.reason = reason
        """The player's reply instead of a move, or a sentence about the fault."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


class ProviderError(DuelbookError):
    """The player's provider cannot be reached or refuses; play the game again."""
