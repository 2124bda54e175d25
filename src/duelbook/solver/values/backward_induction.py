"""Backward induction: compute each position of a table from the positions after its moves.

A backup computes one slice of a table. It needs the movers and moves of the slice, and the values
of the positions that the moves lead to. So any process can run it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook.position import CHANCE
from duelbook.solver.tables.array_rules import Ints
from duelbook.solver.tables.position_table import Table

MAX_SLICE = 1 << 18
"""The maximum number of positions in a slice, to limit the memory beside the table."""


@dataclass(frozen=True, eq=False)
class TableSlice:
    """Consecutive positions of a table that have moves, and these moves."""

    mover: NDArray[np.int8]
    starts: NDArray[np.int64]
    """The index of each position's first move."""
    after: Ints
    """The position after each move."""
    chances: NDArray[np.float64] | None
    """The probability of each chance outcome, and 0 for players' moves; None without chance."""
    moves: slice
    """The entries of these moves in the table."""

    @classmethod
    def of(cls, table: Table, positions: slice) -> TableSlice:
        """Return these positions of a table."""
        rows, busy = _rows_and_busy(table, positions)
        moves = slice(int(rows[0]), int(rows[-1]))
        mover, starts = table.mover[positions][busy], rows[:-1][busy] - rows[0]
        chances = None
        if table.weights is not None and (mover == CHANCE).any():
            weights = table.weights[moves]
            totals = np.maximum(np.add.reduceat(weights, starts), 1)
            chances = weights / np.repeat(totals, np.diff(rows)[busy])
        return cls(mover, starts, table.after[moves], chances, moves)


Backup = Callable[[TableSlice, NDArray[Any]], NDArray[Any]]
"""Computes the values of a slice, which is not empty, from the values of all positions."""
BackupRunner = Callable[[Backup, Table, list[slice], NDArray[Any]], Iterator[NDArray[Any]]]
"""Runs a backup on slices of a table, and yields the results in order."""


def run_locally(
    backup: Backup, table: Table, slices: list[slice], values: NDArray[Any]
) -> Iterator[NDArray[Any]]:
    """Run a backup on slices of a table in this process."""
    return (run_backup(backup, TableSlice.of(table, positions), values) for positions in slices)


def run_backup(backup: Backup, part: TableSlice, values: NDArray[Any]) -> NDArray[Any]:
    """Run a backup on a slice, which may be empty."""
    return backup(part, values) if len(part.mover) else values[:0]


def backward_induction(
    table: Table, values: NDArray[Any], backup: Backup, run: BackupRunner = run_locally
) -> None:
    """Compute the values of a table without cycles, from the last layer to the first.

    `values` holds the values of the terminal positions, and receives those of all others.
    """
    for layer in layers_backward(table):
        back_up(table, slices(layer.start, layer.stop), backup, run, values, into=values)


def back_up(  # noqa: PLR0913, PLR0917 # input, output and method
    table: Table,
    slices: list[slice],
    backup: Backup,
    run: BackupRunner,
    values: NDArray[Any],
    into: NDArray[Any],
) -> None:
    """Run a backup on slices of a table; write the results into an array."""
    for positions, results in zip(slices, run(backup, table, slices, values), strict=True):
        into[positions][_rows_and_busy(table, positions)[1]] = results


def layers_backward(table: Table) -> list[slice]:
    """Return the positions of each layer, the last layer first."""
    return [slice(begin, end) for begin, end in pairwise(table.layers)][::-1]


def slices(begin: int, end: int) -> list[slice]:
    """Divide a range of positions into slices."""
    return [slice(at, min(at + MAX_SLICE, end)) for at in range(begin, end, MAX_SLICE)]


def _rows_and_busy(table: Table, positions: slice) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the rows of these positions, and the mask of those that have moves."""
    rows = table.rows[positions.start : positions.stop + 1]
    return rows, np.diff(rows) > 0
