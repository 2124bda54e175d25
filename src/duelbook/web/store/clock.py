"""Game time: it runs steadily, even if the system clock changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple


def wall_clock() -> int:
    """Return the time of day in milliseconds, which someone may change at any moment."""
    return time.time_ns() // 1_000_000


def monotonic() -> int:
    """Return the milliseconds since some moment."""
    return time.monotonic_ns() // 1_000_000


class Clock:
    """The game time in milliseconds; it follows a monotonic clock.

    It can be set again, but never goes back: it stands still until it is right.
    """

    def __init__(self, steady: Callable[[], int] = monotonic) -> None:
        self._steady = steady
        self._offset, self._latest = 0, 0

    def __call__(self) -> int:
        """Return the time."""
        self._latest = max(self._latest, self._steady() + self._offset)
        return self._latest

    def set(self, now: int) -> None:
        """Set it to a time."""
        self._offset = now - self._steady()


class Period(NamedTuple):
    """A period during which a server ran, in milliseconds of game time."""

    began: int
    until: int
    """The time of the last heartbeat."""
    shift: int
    """Game time minus database time at that moment."""


Decide = Callable[[Period, int, int], Period]
"""Computes the current uptime period from the last one, the database clock and the latency."""


def time_lost(periods: list[Period], since: int) -> int:
    """Return how long no server ran between these periods, since a time."""
    return sum(
        max(0, after.began - max(before.until, since)) for before, after in pairwise(periods)
    )
