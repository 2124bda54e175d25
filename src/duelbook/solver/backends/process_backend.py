"""Expand positions in other processes of this machine.

The search itself stays in one process, because the rules take nearly all of the time. It sends
slices of positions as codes, and receives expansions as arrays in the order of the slices. So the
table is the same to the bit with any number of processes.
"""

from __future__ import annotations

import pickle
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import get_context

from duelbook.catalog import registry
from duelbook.errors import DuelbookError
from duelbook.position import Position
from duelbook.solver.backends.backend import MIN_SLICES, QUEUE_PER_WORKER, LocalBackend, in_order
from duelbook.solver.enumeration.expansion import Expansion, NewValuesError, expand
from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.tables.packing import Codes, Packing
from duelbook.solver.tables.position_table import Coding
from duelbook.system.parent_process import end_with_parent

Answer = Expansion | None
"""The expansion, or None if the packing has not learned some values."""


def answer(name: str, parts: bytes, codes: Codes) -> Answer:
    """Expand positions of a game; this runs in the other process.

    `parts` are the pickled parts of the packing; a value may have a class of the game's file.
    """
    game = registry.load(name)
    try:
        return expand(game, Packing(game, pickle.loads(parts)), codes)  # noqa: S301 # our own data
    except NewValuesError:
        return None


class ProcessBackend(LocalBackend):
    """Runs a search in this process, and the rules in other processes."""

    def __init__(
        self, game: type[Position], space: ArrayStorage, pool: ProcessPoolExecutor, processes: int
    ) -> None:
        super().__init__(game, space)
        self._pool, self._queue_length = pool, processes * QUEUE_PER_WORKER
        self._name = registry.source_of(game) or game.slug

    def expand(self, coding: Coding, slices: Iterable[Codes]) -> Iterator[Expansion]:
        """Expand slices of positions, and yield the expansions in order."""
        remaining = iter(slices)
        first_slices = list(islice(remaining, MIN_SLICES))
        if len(first_slices) < MIN_SLICES or not isinstance(coding, Packing):
            yield from super().expand(coding, chain(first_slices, remaining))
            return
        parts = pickle.dumps(coding.parts)

        def send(codes: Codes) -> Future[Answer]:
            return self._pool.submit(answer, self._name, parts, codes)

        for codes, future in in_order(send, chain(first_slices, remaining), self._queue_length):
            # None: expand again in this process, which raises NewValuesError with the values.
            yield future.result() or expand(self.game, coding, codes)


@contextmanager
def in_processes(
    game: type[Position], space: ArrayStorage, processes: int
) -> Iterator[ProcessBackend]:
    """Yield a backend that runs the rules of a game in other processes."""
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_prepare_worker)
    try:
        yield ProcessBackend(game, space, pool, processes)
    except BrokenProcessPool as error:
        raise DuelbookError(
            "A process that ran the rules has died; perhaps there is too little memory."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _prepare_worker() -> None:
    """Make a worker process ignore Ctrl-C and end with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
