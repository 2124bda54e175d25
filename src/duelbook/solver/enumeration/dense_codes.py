"""Enumeration of a game with small codes: an array has an entry for every possible code."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook.solver.backends.backend import in_order
from duelbook.solver.enumeration.expansion import Expansion, expand
from duelbook.solver.enumeration.interface import EnumerationTask
from duelbook.solver.enumeration.table_columns import TableColumns
from duelbook.solver.tables.array_storage import ArrayStorage, GrowableArray, plain_zeros
from duelbook.solver.tables.position_table import PositionIndex, Table, VectorCoding

_SLICE = 1 << 12  # positions per task; their arrays fit into the processor's cache
_MOVES = 1 << 15  # moves per task
_CODES = 1 << 19  # codes per task
_QUEUED_SLICES = 8  # tasks submitted in advance, so that no thread is idle
_SPARSE = 64  # with less than one move per 64 codes, a sort is faster than a scan of all codes


class DenseEnumerator:
    """Enumerates a game with vectors, if the number of possible codes is small."""

    def __init__(self, space: ArrayStorage) -> None:
        self._space = space

    def enumerate(self, task: EnumerationTask) -> Table:
        """Return the table of a game; a layer lists its positions in code order."""
        game, coding, space = task.game, task.coding, self._space
        assert isinstance(coding, VectorCoding)  # noqa: S101 # only vectors have dense codes
        size = coding.vectors.SIZE
        number = plain_zeros(size, np.int32)  # the number of each code plus 1; 0: not found yet
        reached = plain_zeros(size, np.bool_)
        columns = TableColumns(game, space, in_place=True)
        codes, layers = GrowableArray(space, np.int64, in_place=True), [0]
        steps_forward = True

        def expand_part(part: NDArray[np.int64]) -> Expansion:
            expansion = expand(game, coding, part[:, None])
            reached[expansion.leads[:, 0]] = True
            return expansion

        def collect(begin: int) -> NDArray[np.int64]:
            part = np.flatnonzero(reached[begin : begin + _CODES]) + begin
            reached[begin : begin + _CODES] = False
            return part

        def number_moves(leads: NDArray[np.int32]) -> None:
            np.subtract(number[leads], 1, out=leads)

        codes.add(coding.encode([game.start(coding.first)])[:, 0])
        number[codes.all] = 1
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            while layers[-1] < len(codes):
                layer = _parts(codes.all[layers[-1] :], _SLICE)
                layers.append(len(codes))
                moves = len(columns.after)
                for _, submitted in in_order(
                    lambda part: pool.submit(expand_part, part), layer, _QUEUED_SLICES
                ):
                    expansion = submitted.result()
                    columns.add(expansion, expansion.leads[:, 0])
                leads = columns.after.all[moves:]
                reached_codes: Iterator[NDArray[np.int64]]
                if len(leads) * _SPARSE > size:
                    begins = range(0, size, _CODES)
                    submitted_parts = in_order(
                        lambda begin: pool.submit(collect, begin), begins, _QUEUED_SLICES
                    )
                    reached_codes = (collected.result() for _, collected in submitted_parts)
                else:
                    reached_codes = iter([np.unique(leads).astype(np.int64)])
                    reached[leads] = False
                for part in reached_codes:
                    new = part[number[part] == 0]
                    steps_forward = steps_forward and len(new) == len(part)
                    number[new] = np.arange(
                        len(codes) + 1, len(codes) + len(new) + 1, dtype=np.int32
                    )
                    codes.add(new)
                deque(pool.map(number_moves, _parts(leads, _MOVES)), maxlen=0)
                task.report(len(codes))
        positions = PositionIndex(
            coding, codes.all[:, None], _order(number, space.row(len(codes), np.int32))
        )
        return columns.table(coding.first, positions, layers, steps_forward=steps_forward)


def _order(number: NDArray[np.int32], order: NDArray[np.int32]) -> NDArray[np.int32]:
    """Fill `order` with all numbers in the order of their codes, and return it."""
    end = 0
    for part in _parts(number, _CODES):
        numbers = part[part > 0]
        order[end : end + len(numbers)] = numbers - 1
        end += len(numbers)
    return order


def _parts(array: NDArray[Any], size: int) -> Iterator[NDArray[Any]]:
    return (array[begin : begin + size] for begin in range(0, len(array), size))
