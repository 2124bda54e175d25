"""The live games in memory, and the capacity of the database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from duelbook.web.games.commands import Refusal
from duelbook.web.games.presence import LiveRoom, update_away
from duelbook.web.games.state.room import Room
from duelbook.web.store.game_events import GameEvent, GameTerms
from duelbook.web.store.store import Store

MAX_NEW_GAME_EVENTS = 10
"""A new game with more events, such as one from a save, is read at its first use."""


class LiveGames:
    """The live games by id, up to a maximum; idle games make room for others."""

    def __init__(self, max_games: int) -> None:
        self._max_games = max_games
        self._games: dict[str, LiveRoom] = {}

    def __len__(self) -> int:
        return len(self._games)

    def get(self, id: str) -> LiveRoom | None:  # noqa: A002 # the word on the wire
        """Return a live game, if it is in memory."""
        return self._games.get(id)

    def all(self) -> list[LiveRoom]:
        """Return all live games."""
        return list(self._games.values())

    def add(self, id: str) -> LiveRoom:  # noqa: A002 # see above
        """Add a game whose events are not read yet."""
        if not self._has_capacity():
            raise Refusal("busy", "Too many games are being played here: try again later.")
        live = self._games[id] = LiveRoom(id)
        return live

    def add_new(self, terms: GameTerms, events: Sequence[GameEvent], now: int) -> None:
        """Add a new game, so that its first use needs no query."""
        if len(events) <= MAX_NEW_GAME_EVENTS and self._has_capacity():
            room = reduce(Room.after, events, Room.begin(terms))
            live = LiveRoom(terms.id, room, stale=False, is_new=True, last_used=time.monotonic())
            update_away(live, now)
            self._games[terms.id] = live

    def remove(self, id: str) -> LiveRoom | None:  # noqa: A002 # see above
        """Remove a game from memory, and return it."""
        return self._games.pop(id, None)

    def drop_if_idle(self, live: LiveRoom) -> None:
        """Drop a game if it has no connections, tasks or commits."""
        if not live.connections and not live.tasks and not live.lock.locked():
            live.cancel_tasks()
            del self._games[live.id]

    def _has_capacity(self) -> bool:
        """Return whether one more game fits into memory; drop idle games if necessary."""
        if len(self._games) >= self._max_games:
            for live in self.all():
                self.drop_if_idle(live)
        return len(self._games) < self._max_games

    async def close(self) -> None:
        """Drop all games, and wait for their tasks."""
        for live in self.all():
            live.cancel_tasks()
        tasks = [task for live in self.all() for task in live.tasks.values()]
        await asyncio.gather(*tasks, return_exceptions=True)
        self._games.clear()


SIZE_CACHE_SECONDS = 10.0
"""The time for which the size of the database stays in cache."""
MEBIBYTE = 1_048_576


@dataclass(frozen=True)
class Caps:
    """The maximum sizes of a server."""

    games: int = 100_000
    """Games in the database."""
    rooms: int = 10_000
    """Games in memory."""
    megabytes: int = 10_000
    """MiB of the database."""
    free: int = 100
    """MiB that must stay free on the disk of an SQLite database."""


class Capacity:
    """Refuses new games when the database or the disk is full; games in progress continue."""

    def __init__(self, store: Store, caps: Caps) -> None:
        self._store, self.caps = store, caps
        self._games = 0
        self._why_full = ""
        self._checked_at = float("-inf")

    async def check(self) -> None:
        """Refuse a new game if there is no room for it."""
        if time.monotonic() > self._checked_at + SIZE_CACHE_SECONDS:
            size = await self._store.size()
            self._games, self._checked_at = size.games, time.monotonic()
            used, free = size.used / MEBIBYTE, size.free / MEBIBYTE
            self._why_full = (
                f"The database has reached its limit of {self.caps.megabytes:,} MiB."
                if used >= self.caps.megabytes
                else "The disk is nearly full."
                if free < self.caps.free
                else ""
            )
        if self._games >= self.caps.games:
            raise _full_error(f"This server stores at most {self.caps.games:,} games.")
        if self._why_full:
            raise _full_error(self._why_full)
        self._games += 1  # an estimate until the next count


def _full_error(why: str) -> Refusal:
    return Refusal(
        "later", f"{why} Games in progress continue, but you cannot start a new one now."
    )
