"""Random numbers for compiled code: SplitMix64, and draws from a key and a number."""

from __future__ import annotations

import numpy as np
from numba import njit

from duelbook.research.random_streams import GOLDEN, MIX

_64 = np.uint64


@njit(cache=True, inline="always")
def mixed(word: np.uint64) -> np.uint64:
    """Return the random number of a key (SplitMix64)."""
    word = (word ^ (word >> _64(30))) * MIX[0]
    word = (word ^ (word >> _64(27))) * MIX[1]
    return word ^ (word >> _64(31))


@njit(cache=True, inline="always")
def draw_below(key: np.uint64, number: np.uint64, count: np.uint64) -> np.uint64:
    """Return draw `number` of a mixed key: an integer from 0 to `count` - 1."""
    return ((mixed(key + number * GOLDEN) >> _64(32)) * count) >> _64(32)
