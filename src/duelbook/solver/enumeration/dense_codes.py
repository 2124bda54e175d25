"""Enumeration of a game whose codes are so small that an array has room for each of them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from duelbook.position import Position, has_scores
from duelbook.solver.backends.backend import in_order
from duelbook.solver.enumeration.breadth_first import Progress, report
from duelbook.solver.enumeration.expansion import Expansion, action_type, expand
from duelbook.solver.tables.array_storage import ArrayStorage, Column
from duelbook.solver.tables.position_table import PositionIndex, Table, VectorCoding

_SLICE = 1 << 12  # positions at once: what is made of them stays in the processor's cache
_MOVES = 1 << 15  # moves at once
_CODES = 1 << 19  # codes at once
_AHEAD = 8  # slices that threads work on while the answers to others are kept
_SPARSE = 64  # with fewer moves than one for so many codes, sorting is faster than a look at all


def enumerate_densely(
    game: type[Position],
    coding: VectorCoding,
    space: ArrayStorage,
    max_positions: int | None,
    progress: Progress | None,
) -> Table:
    """Return the table of a game with vectors; positions of a layer are in the order of codes."""
    size = coding.vectors.SIZE
    number = plain_zeros(size, np.int32)  # of each code, from 1; 0 means not found yet
    reached = plain_zeros(size, np.bool_)
    answers, codes, layers = _Answers(game, space), _growing(space, np.int64), [0]
    steps_forward = True

    def ask(part: NDArray[np.int64]) -> Expansion:
        answer = expand(game, coding, part[:, None])
        reached[answer.leads[:, 0]] = True
        return answer

    def collect(begin: int) -> NDArray[np.int64]:
        found = np.flatnonzero(reached[begin : begin + _CODES]) + begin
        reached[begin : begin + _CODES] = False
        return found

    def number_moves(leads: NDArray[np.int32]) -> None:
        np.subtract(number[leads], 1, out=leads)

    codes.add(coding.encode([game.start(coding.first)])[:, 0])
    number[codes.all] = 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while layers[-1] < len(codes):
            layer = _parts(codes.all[layers[-1] :], _SLICE)
            layers.append(len(codes))
            moves = len(answers.after)
            for _, asked in in_order(lambda part: pool.submit(ask, part), layer, _AHEAD):
                answers.add(asked.result())
            leads = answers.after.all[moves:]
            if len(leads) * _SPARSE > size:
                begins = range(0, size, _CODES)
                begun = in_order(lambda begin: pool.submit(collect, begin), begins, _AHEAD)
                found = (collected.result() for _, collected in begun)
            else:
                found = (one for one in [np.unique(leads).astype(np.int64)])
                reached[leads] = False
            for part in found:
                new = part[number[part] == 0]
                steps_forward = steps_forward and len(new) == len(part)
                number[new] = np.arange(len(codes) + 1, len(codes) + len(new) + 1, dtype=np.int32)
                codes.add(new)
            deque(pool.map(number_moves, _parts(leads, _MOVES)), maxlen=0)
            report(len(codes), max_positions, progress)
    positions = PositionIndex(
        coding, codes.all[:, None], _order(number, _room(space, len(codes), np.int32))
    )
    return answers.table(coding.first, positions, tuple(layers), steps_forward=steps_forward)


def plain_zeros(size: int, dtype: DTypeLike) -> NDArray[Any]:
    """Return zeros in ordinary pages of memory.

    NumPy asks for huge pages. Where they are not at hand, as in a new virtual machine, the system
    takes longer to make them than we take to fill them.
    """
    return np.frombuffer(bytearray(size * np.dtype(dtype).itemsize), dtype)


def _room(space: ArrayStorage, size: int, dtype: DTypeLike) -> NDArray[Any]:
    """Return an array to be filled, in memory or on disk."""
    return plain_zeros(size, dtype) if space.folder is None else space.empty((size,), dtype)


def _order(number: NDArray[np.int32], order: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return all numbers, in the order of their codes, in the array for them."""
    end = 0
    for part in _parts(number, _CODES):
        found = part[part > 0]
        order[end : end + len(found)] = found - 1
        end += len(found)
    return order


def _parts(array: NDArray[Any], size: int) -> Iterator[NDArray[Any]]:
    return (array[begin : begin + size] for begin in range(0, len(array), size))


class _Answers:
    """What the rules say about all positions so far."""

    def __init__(self, game: type[Position], space: ArrayStorage) -> None:
        self.game, self.space = game, space
        self.after = _growing(space, np.int32)
        """The code after each move, and later the number of the position."""
        self._actions = _growing(space, action_type(game))
        self._weights = _growing(space, np.int64)
        self._mover, self._winner = _growing(space, np.int8), _growing(space, np.int8)
        self._ruled, self._paid = _growing(space, np.bool_), _growing(space, np.float64)
        self._counts = _growing(space, np.int32)

    def add(self, answer: Expansion) -> None:
        """Add what the rules say about the next positions."""
        self.after.add(answer.leads[:, 0])
        self._actions.add(answer.actions)
        self._mover.add(answer.mover)
        self._winner.add(answer.winner)
        self._ruled.add(answer.ruled)
        self._counts.add(answer.counts)
        if answer.weights is not None:
            self._weights.add(answer.weights)
        if answer.paid is not None:
            self._paid.add(answer.paid)

    def table(
        self, first: int, positions: PositionIndex, layers: tuple[int, ...], *, steps_forward: bool
    ) -> Table:
        """Return all as a table."""
        rows = _room(self.space, len(positions) + 1, np.int64)
        rows[0] = 0
        np.cumsum(self._counts.all, out=rows[1:])
        return Table(
            self.game,
            first,
            positions,
            self._mover.all,
            self._winner.all,
            rows,
            self._actions.all,
            self.after.all,
            layers,
            self._ruled.all,
            steps_forward,
            self._weights.all if self._weights.all.any() else None,
            self._paid.all if has_scores(self.game) else None,
        )


def _growing(space: ArrayStorage, dtype: DTypeLike) -> _Growing | Column:
    """Return an array that grows, in memory or on disk."""
    return _Growing(dtype) if space.folder is None else Column(space, dtype)


class _Growing:
    """An array that grows in place: the system adds pages to it, and nothing is copied."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._room: NDArray[Any] = np.zeros(1024, dtype)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, values: NDArray[Any]) -> None:
        """Append values; what `all` returned before is no longer valid."""
        end = self._used + len(values)
        if end > len(self._room):
            self._room.resize(max(end, len(self._room) * 5 // 4), refcheck=False)
        self._room[self._used : end] = values
        self._used = end

    @property
    def all(self) -> NDArray[Any]:
        """All that was appended."""
        return self._room[: self._used]
