"""Long computations on the event loop: each runs for a moment, then it is another one's turn.

They are written as generators that yield often. Threads would not help: Python runs one at a time,
and moves would wait for it longer than they do here.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Generator
from time import perf_counter
from typing import TypeVar

from duelbook.web.client_address import ASKER

MOMENT = 0.001
"""Seconds that a computation runs before others have their turn."""
T = TypeVar("T")


class Turns:
    """Lets one computation at a time run for a moment; everyone who asks has the same share.

    After each moment the loop has as much time for everything else.
    """

    def __init__(self) -> None:
        self._busy = False
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By asker; the first asker is next."""

    async def run(self, work: Generator[None, None, T]) -> T:
        """Return what a generator returns in the end."""
        await self._turn()
        while True:
            begun = perf_counter()
            try:
                while perf_counter() < begun + MOMENT:
                    next(work)
                await asyncio.sleep(perf_counter() - begun)
            except StopIteration as end:
                self._next()
                result: T = end.value
                return result
            except BaseException:
                self._next()
                raise
            await self._turn(again=True)

    async def _turn(self, *, again: bool = False) -> None:
        """Wait for a turn, or for the next one."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(ASKER.get(), deque()).append(turn)
        if again or not self._busy:
            self._next()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it came at the same moment
                self._next()
            raise

    def _next(self) -> None:
        """Give the turn to the next asker, who is the last one then."""
        self._busy = False
        while self._waiting and not self._busy:
            asker, turns = next(iter(self._waiting.items()))
            del self._waiting[asker]
            turn = turns.popleft()
            if turns:
                self._waiting[asker] = turns
            if not turn.done():  # the waiting task may be cancelled
                turn.set_result(None)
                self._busy = True
