"""Compiled sweeps of interval iteration, position by position; see `interval_iteration`."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from duelbook.position import CHANCE

_CHANCE = int(CHANCE)


@njit(cache=True, nogil=True)
def _sweep(  # noqa: PLR0913, PLR0917 # the arrays of a table
    order: NDArray[np.int32],
    rows: NDArray[np.int64],
    after: NDArray[np.int32],
    mover: NDArray[np.int8],
    chances: NDArray[np.float64],
    values: NDArray[np.float64],
) -> None:
    """Compute the value of each position from the values after its moves, in a given order."""
    for position in order:
        begin, end = rows[position], rows[position + 1]
        if mover[position] == _CHANCE:
            total = 0.0
            for edge in range(begin, end):
                total += chances[edge] * values[after[edge]]
        else:
            total = values[after[begin]]
            for edge in range(begin + 1, end):
                value = values[after[edge]]
                if (value > total) == (mover[position] == 0):
                    total = value
        values[position] = total


@njit(cache=True, nogil=True)
def settle(  # noqa: PLR0913, PLR0917 # the arrays of a table, and both bounds
    order: NDArray[np.int32],
    ends: NDArray[np.int64],
    rows: NDArray[np.int64],
    after: NDArray[np.int32],
    mover: NDArray[np.int8],
    chances: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    tolerance: float,
    max_sweeps: int,
) -> None:
    """Sweep over each part of an order until its bounds meet or come no closer."""
    begin = 0
    for end in ends:
        part = order[begin:end]
        begin = end
        before = np.inf
        for _ in range(max_sweeps):
            _sweep(part, rows, after, mover, chances, low)
            _sweep(part, rows, after, mover, chances, high)
            widest = total = 0.0
            for position in part:
                gap = high[position] - low[position]
                widest = max(widest, gap)
                total += gap
            if widest <= tolerance or total >= before:
                break
            before = total
