"""Capacity: how many games a server keeps, and how much of the disk it may use.

When it is reached, new games are refused; those that have begun go on.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from duelbook.web.games.commands import Refusal
from duelbook.web.store.store import Store

FRESH = 10.0
"""Seconds for which the size of the database is taken as known."""
MEBIBYTE = 1_048_576


@dataclass(frozen=True)
class Caps:
    """The most that a server keeps."""

    games: int = 100_000
    """Games in the database."""
    rooms: int = 10_000
    """Games in memory."""
    megabytes: int = 10_000
    """MiB of the database."""
    free: int = 100
    """MiB that are left free on the disk of a database of SQLite."""


class Capacity:
    """Knows whether there is room for another game."""

    def __init__(self, store: Store, caps: Caps) -> None:
        self._store, self.caps = store, caps
        self._games = 0
        self._full = ""
        self._known = float("-inf")

    async def check(self) -> None:
        """Refuse a new game where there is no room for it."""
        if monotonic() > self._known + FRESH:
            size = await self._store.size()
            self._games, self._known = size.games, monotonic()
            used, free = size.used / MEBIBYTE, size.free / MEBIBYTE
            self._full = (
                f"The database has reached its limit of {self.caps.megabytes:,} MiB."
                if used >= self.caps.megabytes
                else "The disk is nearly full."
                if free < self.caps.free
                else ""
            )
        if self._games >= self.caps.games:
            raise _full(f"This server keeps {self.caps.games:,} games at most.")
        if self._full:
            raise _full(self._full)
        self._games += 1  # until they are counted again


def _full(why: str) -> Refusal:
    return Refusal("later", f"{why} New games must wait; those that have begun go on.")
