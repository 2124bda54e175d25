"""Time slices: long computations on the event loop take turns.

A computation is a generator that yields often. Threads would not help: Python runs one thread at a
time, so moves would wait longer for a thread than for a time slice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Generator
from time import perf_counter
from typing import TypeVar

from duelbook.compute.client_address import CLIENT_ADDRESS

SLICE_SECONDS = 0.001
"""The time that a computation runs before the next one has its turn."""
T = TypeVar("T")


class TimeSlices:
    """Runs one slice of one computation at a time; all addresses have the same share.

    After each slice the event loop has the same time for other work.
    """

    def __init__(self) -> None:
        self._busy = False
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """The waiting computations by address; the first address is next."""

    async def run(self, work: Generator[None, None, T]) -> T:
        """Run a generator to its end, and return its result."""
        await self._turn()
        while True:
            started = perf_counter()
            try:
                while perf_counter() < started + SLICE_SECONDS:
                    next(work)
                await asyncio.sleep(perf_counter() - started)
            except StopIteration as end:
                self._next()
                result: T = end.value
                return result
            except BaseException:
                self._next()
                raise
            await self._turn(again=True)

    async def _turn(self, *, again: bool = False) -> None:
        """Wait for a slice; `again` gives the current one to the next address first."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(CLIENT_ADDRESS.get(), deque()).append(turn)
        if again or not self._busy:
            self._next()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn came at the same moment
                self._next()
            raise

    def _next(self) -> None:
        """Give the slice to the next address, and put it at the end of the queue."""
        self._busy = False
        while self._waiting and not self._busy:
            address, turns = next(iter(self._waiting.items()))
            del self._waiting[address]
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns
            if not turn.done():  # the waiting task may be cancelled
                turn.set_result(None)
                self._busy = True
