"""Scores of a table, computed on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from duelbook import cluster
from duelbook.solver.backends.backend import MIN_SLICES, QUEUE_PER_WORKER, in_order
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.scoring import Ahead, Part, look_here

Ray = Any
"""The module `ray`, and what it returns; they have no types."""


class RayLook:
    """Scores slices of a table on a Ray cluster, which spills to disk what is too large."""

    def __init__(self, ray: Ray) -> None:
        self._ray = ray
        self._ahead = cluster.processors(ray) * QUEUE_PER_WORKER
        self._look = ray.remote(num_cpus=1, max_retries=-1)(_look)
        self._sent: dict[int, Ray] = {}

    def __call__(
        self, ahead: Ahead, table: Table, slices: list[slice], score: NDArray[Any]
    ) -> Iterator[NDArray[Any]]:
        """Score slices of a table: those of a layer, or all, which then come again."""
        if len(slices) < MIN_SLICES:
            yield from look_here(ahead, table, slices, score)
            return
        again = slices[0].start == 0 and slices[-1].stop == len(table)
        least, end = (0, len(table)) if again else _reached(table, slices)
        scores = self._ray.put(score[least:end])

        def send(which: slice) -> Ray:
            part = self._sent.get(which.start) or self._ray.put(Part.of(table, which))
            if again:
                self._sent[which.start] = part
            return self._look.remote(ahead, part, least, scores)

        for _, asked in in_order(send, slices, self._ahead):
            yield cluster.result(self._ray, asked)


def _reached(table: Table, slices: list[slice]) -> tuple[int, int]:
    """Return the least position that moves lead to, and the one after the last."""
    after = table.after[table.rows[slices[0].start] : table.rows[slices[-1].stop]]
    return int(after.min(initial=len(table))), int(after.max(initial=0)) + 1


def _look(ahead: Ahead, part: Part, least: int, score: NDArray[Any]) -> NDArray[Any]:
    """Score a part, given the scores of the positions from number `least` on."""
    return ahead(replace(part, after=part.after - least), score)


@contextmanager
def looking_on_ray(address: str) -> Iterator[RayLook]:
    """Yield what scores slices of a table on a Ray cluster."""
    with cluster.connected(address) as ray:
        yield RayLook(ray)
