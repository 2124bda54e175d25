"""A cache of responses about whole games: clients with the same view share one computation."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator
from typing import Any

from duelbook.compute.shared_jobs import SharedJobs
from duelbook.compute.time_slices import TimeSlices
from duelbook.web.games.state.room import Room, Seats
from duelbook.web.games.state.views import encode

MAX_CACHE_BYTES = 32 * 2**20
Key = tuple[str, str, int, Seats]
"""The kind of response, the game, the number of its events, and the seats that may see it."""


class ResponseCache:
    """Stores the most recently requested responses, up to a number of bytes."""

    def __init__(self, time_slices: TimeSlices, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._time_slices, self._max_bytes = time_slices, max_bytes
        self._responses: OrderedDict[Key, bytes] = OrderedDict()
        self._bytes = 0
        self._jobs = SharedJobs[bytes]()

    async def get(
        self, kind: str, room: Room, seats: Seats, work: Generator[None, None, Any]
    ) -> bytes:
        """Return the response for these seats: from the cache, or from the work."""
        key = kind, room.terms.id, room.seq, seats
        response = self._responses.get(key)
        if response is not None:
            self._responses.move_to_end(key)
            return response

        async def compute() -> bytes:
            response = encode(await self._time_slices.run(work))
            self._store(key, response)
            return response

        return await self._jobs.get(key, compute)

    def _store(self, key: Key, response: bytes) -> None:
        if len(response) > self._max_bytes // 4:
            return
        self._responses[key] = response
        self._bytes += len(response)
        while self._bytes > self._max_bytes:
            _, dropped = self._responses.popitem(last=False)
            self._bytes -= len(dropped)
