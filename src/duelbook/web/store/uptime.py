"""Uptime: the periods in which a server ran. Players lose no clock time outside of them.

Every few seconds a server writes a heartbeat to the database. A single server uses the monotonic
clock of its machine. Several servers use the database clock, and read it with every heartbeat. If
the database clock changes by more than a few seconds, the first server that notices continues with
the old time, and stores the difference between game time and database time; the others follow.
"""

from __future__ import annotations

import asyncio

from duelbook.web.store.clock import Clock, Decide, Period, time_lost
from duelbook.web.store.store import Store

HEARTBEAT_SECONDS = 5.0
"""Seconds between two heartbeats."""
MAX_SILENCE_MS = 15_000
"""Milliseconds without a heartbeat after which no server counts as running."""
MAX_LATENCY_MS = 100
"""The maximum latency of a reading of the database clock, in milliseconds."""


class Uptime:
    """Writes heartbeats, and computes the time during which no server ran."""

    def __init__(self, store: Store, clock: Clock, *, shared: bool) -> None:
        """Connect the parts; `shared` is true if other servers use the same database."""
        self._store, self._clock, self._shared = store, clock, shared
        self._periods: list[Period] = []
        self._noted = 0
        self._noting: asyncio.Task[bool] | None = None

    async def begin(self) -> None:
        """Set the clock, and write the first heartbeat."""
        await self._note(self._first_period)

    async def note(self) -> bool:
        """Write a heartbeat; return whether a new period began after a time without a server."""
        if self._noting is None or self._noting.done():
            self._noting = asyncio.create_task(self._note_next())
        return await asyncio.shield(self._noting)

    async def _note_next(self) -> bool:
        known = self.began
        await self._note(self._next_period)
        return self.began != known

    @property
    def began(self) -> int:
        """The time at which the current period began."""
        return self._periods[-1].began if self._periods else 0

    def is_silent(self, now: int) -> bool:
        """Return whether the last heartbeat is so old that no server counts as running."""
        return bool(self._periods) and now - self._noted > MAX_SILENCE_MS

    def time_lost(self, since: int) -> int:
        """Return for how many milliseconds after `since` no server ran."""
        return 0 if since >= self.began else time_lost(self._periods, since)

    async def _note(self, decide: Decide) -> None:
        self._periods = await self._store.note_uptime(decide)
        self._noted = self._clock()

    def _first_period(self, last: Period, time: int, _: int) -> Period:
        """Join the period of running servers, or begin a new one after the end of the last one."""
        if self._is_shared_by_others(last, time):
            self._clock.set(time + last.shift)
            return last._replace(until=max(last.until, self._clock()))
        self._clock.set(max(time, last.until))
        now = self._clock()
        return Period(now, now, now - time)

    def _next_period(self, last: Period, time: int, took: int) -> Period:
        """Extend the last period, or begin a new one after a pause."""
        shift = self._clock() - time
        if self._is_shared_by_others(last, time):
            shift = last.shift
            if took <= MAX_LATENCY_MS:
                self._clock.set(time + shift)
        now = self._clock()
        if now - last.until > MAX_SILENCE_MS:
            return Period(now, now, shift)
        return last._replace(until=max(last.until, now), shift=shift)

    def _is_shared_by_others(self, last: Period, time: int) -> bool:
        """Return whether another server recently stored the shift of the database clock."""
        return self._shared and abs(time - (last.until - last.shift)) <= MAX_SILENCE_MS
