"""Numbering: give codes numbers in the order of their first occurrence."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.tables.packing import Codes

Numbers = NDArray[np.int32]
Run = tuple[NDArray[np.int64], Numbers]
"""Sorted keys and their numbers."""
_RATIO = 3  # merge a run into the one before it if that is less than 3 times as large
_BLOCK = 1 << 18


class Numberer(Protocol):
    """Gives codes numbers in the order of their first occurrence."""

    def number(self, codes: Any) -> tuple[Numbers, Codes]:  # noqa: ANN401 # `Expansion.leads`
        """Return the number of each code, and the new codes in order."""

    def order(self, codes: Codes) -> Numbers:
        """Return all numbers, in the order of their codes."""


class _Runs:
    """Known keys and their numbers, as a few sorted arrays, each much larger than the next."""

    def __init__(self, space: ArrayStorage) -> None:
        self._space = space
        self._runs: list[Run] = []
        self.size = 0

    def number(self, keys: NDArray[np.int64]) -> tuple[Numbers, NDArray[np.intp]]:
        """Return the number of each key, and the index of each new key's first occurrence."""
        different, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        numbers = self.find(different)
        new = np.flatnonzero(numbers < 0)
        order = np.argsort(first[new])
        numbers[new[order]] = np.arange(self.size, self.size + len(new), dtype=np.int32)
        self._add(different[new], numbers[new])
        return numbers[inverse], first[new[order]]

    def find(self, keys: NDArray[np.int64]) -> Numbers:
        """Return the numbers of sorted keys; -1 for an unknown key."""
        numbers = np.full(len(keys), -1, np.int32)
        for known, known_numbers in self._runs:
            at = np.searchsorted(known, keys)
            at[at == len(known)] = 0
            is_known = known[at] == keys
            numbers[is_known] = known_numbers[at[is_known]]
        return numbers

    def sorted_run(self) -> Run:
        """Return all keys in their order, and their numbers."""
        self._merge(0)
        return self._runs[0] if self._runs else (np.empty(0, np.int64), np.empty(0, np.int32))

    def _add(self, keys: NDArray[np.int64], numbers: Numbers) -> None:
        if len(keys):
            self.size += len(keys)
            self._runs.append((keys, numbers))
            smallest = len(self._runs) - 1
            while smallest and len(self._runs[smallest - 1][0]) < _RATIO * sum(
                len(run[0]) for run in self._runs[smallest:]
            ):
                smallest -= 1
            self._merge(smallest)

    def _merge(self, begin: int) -> None:
        """Merge the run with this index and all later runs into one."""
        while len(self._runs) > begin + 1:
            smaller = self._runs.pop()
            self._runs[-1] = merged(self._runs[-1], smaller, self._space)


def merged(first: Run, other: Run, space: ArrayStorage) -> Run:
    """Merge two sorted runs block by block; both may be on disk."""
    size = len(first[0]) + len(other[0])
    keys, numbers = space.empty((size,), np.int64), space.empty((size,), np.int32)
    at_first = at_other = 0
    while at_first + at_other < size:
        parts = [run[0][at : at + _BLOCK] for run, at in ((first, at_first), (other, at_other))]
        last = min((part[-1] for part in parts if len(part)), default=0)
        steps = [int(np.searchsorted(part, last, side="right")) for part in parts]
        block = np.concatenate([part[:step] for part, step in zip(parts, steps, strict=True)])
        order = np.argsort(block, kind="stable")  # a stable sort merges two sorted parts
        numbers_of_parts = [
            first[1][at_first : at_first + steps[0]],
            other[1][at_other : at_other + steps[1]],
        ]
        begin, end = at_first + at_other, at_first + at_other + len(block)
        keys[begin:end], numbers[begin:end] = block[order], np.concatenate(numbers_of_parts)[order]
        at_first, at_other = at_first + steps[0], at_other + steps[1]
    return keys, numbers


class Numbering:
    """The numbers of codes of one or more words.

    A code of several words becomes one key, word by word: the number of its first words and the
    number of the next word together are a key.
    """

    def __init__(self, words: int, space: ArrayStorage) -> None:
        self._prefixes = [_Runs(space) for _ in range(words - 1)]
        self._words = [_Runs(space) for _ in range(words - 1)]
        self._keys = _Runs(space)

    def __len__(self) -> int:
        return self._keys.size

    def number(self, codes: Codes) -> tuple[Numbers, Codes]:
        """Return the number of each code, and the new codes in order."""
        numbers, new = self.first_seen(codes)
        return numbers, codes[new]

    def first_seen(self, codes: Codes) -> tuple[Numbers, NDArray[np.intp]]:
        """Return the number of each code, and the index of each new code's first occurrence."""
        keys = codes[:, 0]
        for prefix, word, column in zip(self._prefixes, self._words, codes.T[1:], strict=True):
            starts, ends = prefix.number(keys)[0], word.number(column)[0]
            keys = starts.astype(np.int64) << 31 | ends
        return self._keys.number(keys)

    def order(self, codes: Codes) -> Numbers:
        """Return all numbers, in the order of their codes."""
        if self._prefixes:
            return lexical_order(codes)
        return self.run()[1]

    def run(self) -> Run:
        """Return the keys of all codes in their order, and their numbers."""
        return self._keys.sorted_run()


def lexical_order(codes: Codes) -> Numbers:
    """Return the row numbers in the order of their codes."""
    return np.lexsort(codes.T[::-1]).astype(np.int32)


def find_row(codes: Codes, order: Numbers, code: Sequence[int]) -> int | None:
    """Return the row of a code, or None; `order` lists the rows in the order of their codes."""
    begin, end = 0, len(order)
    for word, value in enumerate(code):
        column = codes[:, word]
        low = bisect_left(order, value, begin, end, key=column.__getitem__)
        begin, end = low, bisect_right(order, value, low, end, key=column.__getitem__)
    return int(order[begin]) if begin < end else None
