"""Checkpoints: a long search goes on where it was stopped."""

from __future__ import annotations

from time import monotonic

from duelbook.position import Position
from duelbook.solver import cache
from duelbook.solver.backends.backend import Backend
from duelbook.solver.enumeration.breadth_first import SearchState
from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.tables.packing import Packing
from duelbook.solver.tables.position_table import Coding

SECONDS = 60.0
"""The time from one checkpoint to the next, at least."""
SHARE = 20
"""A checkpoint is made after so many times as long as the last one took to write."""


class Checkpoints:
    """Keeps a search in the cache every so often."""

    def __init__(self, game: type[Position], first: int, maker: str) -> None:
        self._game, self._first = game, first
        self._key = game, f"search{first + 1}", maker
        self._next = monotonic() + SECONDS
        self._kept = False

    def stopped(self, coding: Coding, space: ArrayStorage, workers: Backend) -> SearchState | None:
        """Return the search that was stopped, or None; the coding is for codes that need none."""
        kept = cache.read(*self._key)
        if kept is None:
            return None
        try:
            arrays = kept.arrays()
        except cache.DamagedError:
            return None
        data = kept.data["packing"]
        known = coding if data is None else Packing.from_data(self._game, data)
        found = SearchState(self._game, self._first, known, space, workers)
        found.resume(arrays, kept.data["layers"], steps_forward=kept.data["steps_forward"])
        self._kept = True
        return found

    def __call__(self, found: SearchState) -> None:
        """Keep a search, unless that was done a short time ago."""
        if monotonic() >= self._next:
            self.keep(found)

    def keep(self, found: SearchState) -> None:
        """Keep a search, if it is long enough."""
        if found.done < cache.MIN_STORED_POSITIONS:
            return
        coding = found.coding
        try:
            packing = coding.to_data() if isinstance(coding, Packing) else None
        except TypeError:  # the fields of somebody else's class
            return
        begun = monotonic()
        data = {"packing": packing, "layers": found.layers, "steps_forward": found.steps_forward}
        cache.write(*self._key, found.arrays(), data)
        self._kept = True
        self._next = monotonic() + max(SECONDS, SHARE * (monotonic() - begun))

    def forget(self) -> None:
        """Delete what was kept, after the end of the search."""
        if self._kept:
            cache.delete(*self._key)
