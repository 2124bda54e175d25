"""Scores of a table, computed on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from duelbook.solver.backends.backend import MIN_SLICES, QUEUE_PER_WORKER, in_order
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.backward_induction import (
    Backup,
    TableSlice,
    run_backup,
    run_locally,
)
from duelbook.system import cluster

Ray = Any
"""The module `ray`, or an object that it returns; they have no types."""


class RayBackupRunner:
    """Runs backups on a Ray cluster, which moves arrays to disk if memory is full."""

    def __init__(self, ray: Ray) -> None:
        self._ray = ray
        self._queue_length = cluster.processors(ray) * QUEUE_PER_WORKER
        self._run = ray.remote(num_cpus=1, max_retries=-1)(_run)
        self._sent: dict[int, Ray] = {}

    def __call__(
        self, backup: Backup, table: Table, slices: list[slice], score: NDArray[Any]
    ) -> Iterator[NDArray[Any]]:
        """Run a backup on the slices of a layer, or of the whole table in every sweep."""
        if len(slices) < MIN_SLICES:
            yield from run_locally(backup, table, slices, score)
            return
        again = slices[0].start == 0 and slices[-1].stop == len(table)
        lowest, end = (0, len(table)) if again else _reached(table, slices)
        scores = self._ray.put(score[lowest:end])

        def send(which: slice) -> Ray:
            part = self._sent.get(which.start) or self._ray.put(TableSlice.of(table, which))
            if again:
                self._sent[which.start] = part
            return self._run.remote(backup, part, lowest, scores)

        for _, submitted in in_order(send, slices, self._queue_length):
            yield cluster.result(self._ray, submitted)


def _reached(table: Table, slices: list[slice]) -> tuple[int, int]:
    """Return the range of the positions that moves lead to: the lowest, and the highest plus 1."""
    after = table.after[table.rows[slices[0].start] : table.rows[slices[-1].stop]]
    return int(after.min(initial=len(table))), int(after.max(initial=0)) + 1


def _run(backup: Backup, part: TableSlice, lowest: int, score: NDArray[Any]) -> NDArray[Any]:
    """Run a backup on a part, given the scores of the positions from number `lowest` on."""
    return run_backup(backup, replace(part, after=part.after - lowest), score)


@contextmanager
def backups_on_ray(address: str) -> Iterator[RayBackupRunner]:
    """Yield a runner of backups on a Ray cluster."""
    with cluster.connected(address) as ray:
        yield RayBackupRunner(ray)
