"""Checkpoints: resume a long search after an interruption."""

from __future__ import annotations

from time import monotonic

from duelbook.position import Position
from duelbook.solver import cache
from duelbook.solver.backends.backend import Backend
from duelbook.solver.enumeration.breadth_first import SearchState
from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.tables.packing import Packing
from duelbook.solver.tables.position_table import Coding

INTERVAL_SECONDS = 60.0
"""The minimum time between two checkpoints."""
WRITE_TIME_FACTOR = 20
"""The minimum time between two checkpoints, in multiples of the time to write one."""


class Checkpoints:
    """Stores a search in the cache at intervals."""

    def __init__(self, game: type[Position], first: int, maker: str) -> None:
        self._game, self._first = game, first
        self._key = game, f"search{first + 1}", maker
        self._next = monotonic() + INTERVAL_SECONDS
        self._is_stored = False

    def load(self, coding: Coding, space: ArrayStorage, workers: Backend) -> SearchState | None:
        """Return the interrupted search, or None; it uses `coding` if it has no packing."""
        stored = cache.read(*self._key)
        if stored is None:
            return None
        try:
            arrays = stored.arrays()
        except cache.DamagedError:
            return None
        data = stored.data["packing"]
        known = coding if data is None else Packing.from_data(self._game, data)
        state = SearchState(self._game, self._first, known, space, workers)
        state.resume(arrays, stored.data["layers"], steps_forward=stored.data["steps_forward"])
        self._is_stored = True
        return state

    def __call__(self, state: SearchState) -> None:
        """Store a search, unless the last checkpoint is recent."""
        if monotonic() >= self._next:
            self.store(state)

    def store(self, state: SearchState) -> None:
        """Store a search, if it has enough positions."""
        if state.done < cache.MIN_STORED_POSITIONS:
            return
        coding = state.coding
        try:
            packing = coding.to_data() if isinstance(coding, Packing) else None
        except TypeError:  # a field with a class that JSON cannot express
            return
        started = monotonic()
        data = {"packing": packing, "layers": state.layers, "steps_forward": state.steps_forward}
        cache.write(*self._key, state.arrays(), data)
        self._is_stored = True
        self._next = monotonic() + max(
            INTERVAL_SECONDS, WRITE_TIME_FACTOR * (monotonic() - started)
        )

    def delete(self) -> None:
        """Delete the stored search after its end."""
        if self._is_stored:
            cache.delete(*self._key)
