"""Notices between servers that share a database: a game has changed.

A notice carries ids and counts only. What happened is read from the database, so nothing is lost
when a notice is.
"""

from __future__ import annotations

import math
from typing import Protocol

import msgspec


class Notice(msgspec.Struct):
    """A message between servers: a game changed, and these clients are connected here."""

    game: str
    server: str
    seats: list[int]
    watching: int


class NoticeListener(Protocol):
    """A receiver of notices from other servers."""

    async def received(self, notice: Notice) -> None:
        """Take a notice of another server."""

    async def poll(self) -> None:
        """Read the database: a notice may be lost."""


class PubSub(Protocol):
    """A way to reach the other servers."""

    server: str
    """The name of this server."""
    shared: bool
    """Whether there are other servers."""

    def publish(self, notice: Notice) -> None:
        """Send a notice to the other servers."""

    def connected_for(self) -> float:
        """Return for how many seconds this server has received notices."""

    async def open(self, listener: NoticeListener) -> None:
        """Start listening."""

    async def close(self) -> None:
        """Stop listening."""


class NoPubSub:
    """The pub/sub of a server that is alone."""

    server = ""
    shared = False

    def publish(self, notice: Notice) -> None:
        """Do nothing: nobody listens."""

    def connected_for(self) -> float:
        """Return infinity: there are no other servers."""
        return math.inf

    async def open(self, listener: NoticeListener) -> None:
        """Do nothing: nobody sends."""

    async def close(self) -> None:
        """Do nothing."""
