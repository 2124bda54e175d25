"""Game time: it runs steadily, even if the system clock changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple


def wall_clock() -> int:
    """Return the system time in milliseconds; it may jump when someone sets the system clock."""
    return time.time_ns() // 1_000_000


def monotonic() -> int:
    """Return the milliseconds since a fixed moment."""
    return time.monotonic_ns() // 1_000_000


class Clock:
    """The game time in milliseconds; it follows a monotonic clock.

    It never runs backward. If it is set to an earlier time, it stands still until that time has
    caught up.
    """

    def __init__(self, steady: Callable[[], int] = monotonic) -> None:
        self._steady = steady
        self._offset, self._latest = 0, 0

    def __call__(self) -> int:
        """Return the game time."""
        self._latest = max(self._latest, self._steady() + self._offset)
        return self._latest

    def set(self, now: int) -> None:
        """Set the game time."""
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
    """Return for how many milliseconds after `since` no server ran."""
    return sum(
        max(0, after.began - max(before.until, since)) for before, after in pairwise(periods)
    )
