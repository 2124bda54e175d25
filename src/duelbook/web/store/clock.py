"""The time of the games: it goes on steadily, whatever the clock on the wall does."""

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
    """The time of the games in milliseconds: set once, it follows a steady clock.

    It can be set again, but never goes backwards: it stands still until it is right.
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
    """A period during which there was a server, in milliseconds of the games' time."""

    began: int
    until: int
    """When a server was last known to be there."""
    shift: int
    """What the games' time was ahead of the database's at that moment."""


Decide = Callable[[Period, int, int], Period]
"""Makes the current period of the last one, the database's time, and what it took to tell it."""


def time_lost(periods: list[Period], since: int) -> int:
    """Return for how long there was no server between these periods, since a time."""
    return sum(
        max(0, after.began - max(before.until, since)) for before, after in pairwise(periods)
    )
