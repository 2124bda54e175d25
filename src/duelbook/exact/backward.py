"""Backward induction: the layers of a table in which no position comes back, last first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duelbook.exact.tables import Table


class Layer(NamedTuple):
    """The positions `begin` to `end` of a table, which have one distance from the start."""

    begin: int
    end: int
    busy: NDArray[np.intp]
    """Those of them that are not terminal."""
    edges: slice
    """All their moves, as entries of the table."""
    starts: NDArray[np.int64]
    """Where in `edges` the moves of each busy position begin."""


def layers_backward(table: Table) -> Iterator[Layer]:
    """Yield the layers that have moves; their moves lead to layers that came before."""
    for begin, end in reversed(list(pairwise(table.layers))):
        rows = table.rows[begin : end + 1]
        busy = np.flatnonzero(np.diff(rows)) + begin
        if len(busy):
            yield Layer(begin, end, busy, slice(rows[0], rows[-1]), table.rows[busy] - rows[0])
