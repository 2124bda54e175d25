"""What stands between a client and its provider: calls that were made before, and a budget."""

from __future__ import annotations

from typing import Protocol

from duelbook.players.llm.calls import Call


class Journal(Protocol):
    """Stores the calls of a run."""

    def known(self, call: str) -> Call | None:
        """Return a call that was made before, by its id: it is not made again."""

    def allow(self, ceiling: float | None) -> None:
        """Refuse a call that the budget does not allow; the ceiling is the most that it costs."""

    def keep(self, call: Call, ceiling: float | None) -> None:
        """Keep a call that was answered, in place of what was set aside for it."""


class NoJournal:
    """The journal of a player outside of a tournament."""

    def known(self, call: str) -> Call | None:  # noqa: ARG002 # nothing is kept
        """Return nothing."""
        return None

    def allow(self, ceiling: float | None) -> None:
        """Allow everything."""

    def keep(self, call: Call, ceiling: float | None) -> None:
        """Keep nothing."""
