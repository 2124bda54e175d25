"""Answers about whole games, encoded: they are computed once for all who may see the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator
from typing import Any

from duelbook.web.games.room import Room
from duelbook.web.games.shared_jobs import SharedJobs
from duelbook.web.games.time_slices import Turns
from duelbook.web.games.views import Seats, encode

MAX_CACHE_BYTES = 32 * 2**20
Key = tuple[str, str, int, Seats]
"""The kind of answer, the game, the number of its events, and whose eyes it is for."""


class Answers:
    """Keeps the answers that were asked for last, up to a number of bytes."""

    def __init__(self, turns: Turns, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._turns, self._max_bytes = turns, max_bytes
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._bytes = 0
        self._jobs = SharedJobs[bytes]()

    async def get(
        self, kind: str, room: Room, seats: Seats, work: Generator[None, None, Any]
    ) -> bytes:
        """Return an answer for the holder of these seats: a kept one, or what the work returns."""
        key = kind, room.terms.id, room.seq, seats
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept

        async def compute() -> bytes:
            answer = encode(await self._turns.run(work))
            self._keep(key, answer)
            return answer

        return await self._jobs.get(key, compute)

    def _keep(self, key: Key, answer: bytes) -> None:
        if len(answer) > self._max_bytes // 4:
            return
        self._kept[key] = answer
        self._bytes += len(answer)
        while self._bytes > self._max_bytes:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= len(dropped)
