"""Partitions: each of them numbers a part of the positions of a game.

The code of a position determines its partition. A partition numbers its own positions in the order
of discovery. The process that leads the search assigns the numbers that count for all partitions,
and the partition stores them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duelbook.solver.tables.array_storage import ArrayStorage, GrowableArray
from duelbook.solver.tables.numbering import Numbering, Numbers, Run
from duelbook.solver.tables.packing import Codes

Owners = NDArray[np.uint8]
"""The part that each code belongs to."""
MAX_PARTITIONS = 255
_MIX = np.uint64(0x9E3779B97F4A7C15)


def owners(codes: Codes, count: int) -> Owners:
    """Return the part that each code belongs to; all parts are about equally large."""
    mixed = np.zeros(len(codes), np.uint64)
    for word in codes.T:
        mixed = (mixed ^ word.astype(np.uint64)) * _MIX
        mixed ^= mixed >> np.uint64(32)
    return ((mixed * _MIX >> np.uint64(40)) % np.uint64(count)).astype(np.uint8)


def share_out(codes: Codes, count: int) -> tuple[Owners, list[Codes]]:
    """Return the part that each code belongs to, and the codes of each part."""
    owner = owners(codes, count)
    return owner, [codes[owner == part] for part in range(count)]


class Partition:
    """The positions of one part."""

    def __init__(self, folder: Path | None = None) -> None:
        self._space = ArrayStorage(folder)
        self.begin(1)

    def begin(self, words: int) -> None:
        """Remove all positions, and set the number of words of a code."""
        self._numbering = Numbering(words, self._space)
        self._numbers = GrowableArray(self._space, np.int32)  # among all positions
        self._seen = np.empty(0, np.int32)

    def see(self, codes: Codes) -> tuple[NDArray[np.intp], Codes]:
        """Return the indices of the codes that are new here, and the codes; then call `assign`."""
        self._seen, new = self._numbering.first_seen(codes)
        return new, codes[new]

    def assign(self, numbers: Numbers) -> Numbers:
        """Store the numbers of the new codes of `see`; return the numbers of all its codes."""
        self._numbers.add(numbers)
        known: Numbers = self._numbers.all[self._seen]
        return known

    def run(self) -> Run:
        """Return all codes of one word in their order, and their numbers."""
        keys, numbers = self._numbering.run()
        return keys, self._numbers.all[numbers]
