"""Random numbers in rows: a key gives the same numbers on any number of threads, compiled or not.

Each of the LANES columns has its own generator (xoroshiro128++). So a few array operations compute
a row of numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Draws = NDArray[np.uint32]
LANES = 256
DRAWS = 2 * LANES
"""The number of 32-bit numbers in a row."""
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def key_of(seed: int, block: int) -> np.uint64:
    """Return the key of a block of games."""
    words = np.random.SeedSequence(seed, spawn_key=(block,)).generate_state(1, np.uint64)
    return np.uint64(words[0])


class Generator:
    """Draws rows of random numbers from a key."""

    def __init__(self, key: np.uint64) -> None:
        with np.errstate(over="ignore"):
            states = _mixed(key + np.arange(1, 2 * LANES + 1, dtype=np.uint64) * GOLDEN)
        self._first, self._second = states[0::2].copy(), states[1::2].copy()

    def rows(self, count: int) -> Draws:
        """Return this many rows of numbers, concatenated."""
        return np.concatenate([self._row() for _ in range(count)]).view(np.uint32)

    def _row(self) -> Words:
        first, second = self._first, self._second
        drawn = _rotated(first + second, 17) + first
        second = second ^ first
        self._first = _rotated(first, 49) ^ second ^ (second << np.uint64(21))
        self._second = _rotated(second, 28)
        return drawn


def _mixed(words: Words) -> Words:
    words = (words ^ (words >> np.uint64(30))) * MIX[0]
    words = (words ^ (words >> np.uint64(27))) * MIX[1]
    return words ^ (words >> np.uint64(31))


def _rotated(words: Words, by: int) -> Words:
    return (words << np.uint64(by)) | (words >> np.uint64(64 - by))
