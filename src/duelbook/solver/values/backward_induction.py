"""Backward induction: the layers of a table without cycles, from last to first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duelbook.solver.tables.position_table import Table


class Layer(NamedTuple):
    """The positions `begin` to `end` of a table, all at the same distance from the start."""

    begin: int
    end: int
    busy: NDArray[np.intp]
    """The non-terminal positions of the layer."""
    edges: slice
    """The moves of these positions, as entries of the table."""
    starts: NDArray[np.int64]
    """The offset in `edges` of the first move of each non-terminal position."""


def spans_backward(table: Table) -> list[tuple[int, int]]:
    """Return the begin and the end of each layer, the last layer first."""
    return list(pairwise(table.layers))[::-1]


def layers_backward(table: Table) -> Iterator[Layer]:
    """Yield the layers with moves, the last layer first."""
    for begin, end in spans_backward(table):
        rows = table.rows[begin : end + 1]
        busy = np.flatnonzero(np.diff(rows)) + begin
        if len(busy):
            yield Layer(begin, end, busy, slice(rows[0], rows[-1]), table.rows[busy] - rows[0])
