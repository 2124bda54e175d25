"""The journal of a client: stored calls that are not made again, and a budget."""

from __future__ import annotations

from typing import Protocol

from duelbook.players.llm.calls import Call


class Journal(Protocol):
    """Stores the calls of a run."""

    def find(self, call: str) -> Call | None:
        """Return a stored call by its id, or None."""

    def reserve(self, ceiling: float | None) -> None:
        """Reserve the maximum cost of a call, or refuse the call."""

    def store(self, call: Call, ceiling: float | None) -> None:
        """Store an answered call, and release the amount reserved for it."""


class NoJournal:
    """The journal of a player outside of a tournament."""

    def find(self, call: str) -> Call | None:  # noqa: ARG002 # nothing is stored
        """Return nothing."""
        return None

    def reserve(self, ceiling: float | None) -> None:
        """Allow every call."""

    def store(self, call: Call, ceiling: float | None) -> None:
        """Store nothing."""
