"""Worker processes: one for each kind of work on each game, so that no game waits for another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from duelbook.web.rooms.commands import Refusal

MOST_PROCESSES = 8
"""The processes at once; the one that was idle longest ends when another is needed."""
MOST_WAITING = 50
"""The tasks that may wait for one process."""
T = TypeVar("T")
Key = tuple[str, str]
"""What a process is for: a kind of work, and the slug of a game."""


class Workers:
    """Processes that are started when they are needed."""

    def __init__(
        self, begin: Callable[..., None], *arguments: object, ended: Callable[[Key], None]
    ) -> None:
        """Prepare; each process calls `begin` first, and `ended` is told which is gone."""
        self._begin, self._arguments, self._ended = begin, arguments, ended
        self._pools: dict[Key, ProcessPoolExecutor] = {}
        self._waiting: dict[Key, int] = {}

    def close(self) -> None:
        """End all processes, even in the middle of a computation."""
        for key in list(self._pools):
            self._end(key)

    async def run(self, key: Key, work: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 # as the work takes them
        """Return what work in a process returns, or refuse it if too much waits for it."""
        waiting = self._waiting.get(key, 0)
        if waiting >= MOST_WAITING:
            raise Refusal("busy", "The computer is busy: try again later.")
        pool = self._pool(key)
        self._waiting[key] = waiting + 1
        try:
            return await asyncio.wrap_future(pool.submit(work, *arguments))
        except BrokenProcessPool as error:  # it was killed, perhaps out of memory
            if self._pools.get(key) is pool:  # and not a newer pool
                self._end(key)
            raise Refusal("later", "The computer's process ended: try again.") from error
        finally:
            self._waiting[key] -= 1

    def _pool(self, key: Key) -> ProcessPoolExecutor:
        """Return the pool of one process for this work, which is now the last one used."""
        pool = self._pools.pop(key, None)
        if pool is None:
            if len(self._pools) >= MOST_PROCESSES:
                self._end(self._idle())
            context = get_context("spawn")
            pool = ProcessPoolExecutor(
                1, context, initializer=self._begin, initargs=self._arguments
            )
        self._pools[key] = pool
        return pool

    def _idle(self) -> Key:
        """Return the process that was idle longest."""
        for key in self._pools:
            if not self._waiting.get(key):
                return key
        raise Refusal("busy", "The computer is busy with other games: try again later.")

    def _end(self, key: Key) -> None:
        pool = self._pools.pop(key)
        for process in list((pool._processes or {}).values()):  # noqa: SLF001 # nothing else ends a long thought
            process.terminate()
        pool.shutdown(cancel_futures=True)
        self._ended(key)
