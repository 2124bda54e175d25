"""Notices between servers that share a database: a game has changed.

A notice contains only ids and counts. Servers read the events from the database, so a lost notice
loses no event.
"""

from __future__ import annotations

import math
from typing import Protocol

import msgspec


class Notice(msgspec.Struct):
    """A message between servers: a game has changed, with the number of connections here."""

    game: str
    server: str
    seats: list[int]
    watching: int


class NoticeListener(Protocol):
    """A receiver of notices from other servers."""

    async def receive(self, notice: Notice) -> None:
        """Handle a notice of another server."""

    async def poll(self) -> None:
        """Look for changes in the database, because a notice may be lost."""


class PubSub(Protocol):
    """A way to reach the other servers."""

    server: str
    """The name of this server."""
    shared: bool
    """True if there may be other servers."""

    def publish(self, notice: Notice) -> None:
        """Send a notice to the other servers."""

    def connected_for(self) -> float:
        """Return the number of seconds since this server started to receive notices."""

    async def open(self, listener: NoticeListener) -> None:
        """Start listening."""

    async def close(self) -> None:
        """Stop listening."""


class NoPubSub:
    """The pub/sub of a single server."""

    server = ""
    shared = False

    def publish(self, notice: Notice) -> None:
        """Do nothing: there are no other servers."""

    def connected_for(self) -> float:
        """Return infinity: there are no other servers."""
        return math.inf

    async def open(self, listener: NoticeListener) -> None:
        """Do nothing: there are no other servers."""

    async def close(self) -> None:
        """Do nothing."""
