"""The journal of a client: stored calls, which are not repeated, and a budget."""

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
        """Store an answered call, and release its reserved amount."""


class NoJournal:
    """The journal of a player outside a tournament."""

    def find(self, call: str) -> Call | None:  # noqa: ARG002 # nothing is stored
        """Return None."""
        return None

    def reserve(self, ceiling: float | None) -> None:
        """Allow every call."""

    def store(self, call: Call, ceiling: float | None) -> None:
        """Store nothing."""
