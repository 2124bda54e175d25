"""The walk of `walk`, compiled: the same games from the same keys, hundreds of times as fast.

A position is one word: where its moves begin, and twice their number. The number is 0 where the
game is over; the word is then the winner. So a step is a multiplication and one look-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from duelbook.randomness import DRAWS, GOLDEN, LANES, MIX, Draws, Words
from duelbook.walk import Ends, Roads

NARROW, WIDE = 8, 32  # bits for twice the number of moves, in words of 32 and 64 bits


@dataclass(frozen=True, eq=False)
class Map:
    """Roads in words."""

    start: np.unsignedinteger[Any]
    after: NDArray[np.uint32 | np.uint64]
    shift: np.unsignedinteger[Any]
    bounds: NDArray[np.uint32]
    """Empty where the moves of a position share evenly."""

    @classmethod
    def of(cls, roads: Roads) -> Map:
        """Write the roads of a table as words, as narrow as they can be."""
        counts = np.diff(roads.rows)
        narrow = len(roads.after) < 1 << 32 - NARROW and counts.max() < 1 << NARROW - 1
        shift = NARROW if narrow else WIDE
        words = (roads.rows[:-1] << shift) | (2 * counts)
        words = np.where(counts > 0, words, roads.winner)
        words = words.astype(np.uint32 if narrow else np.uint64)
        bounds = np.empty(0, np.uint32) if roads.even else roads.bounds
        return cls(words[0], words[roads.after], words.dtype.type(shift), bounds)


def walk(roads: Map, games: int, limit: int, key: np.uint64) -> Ends:
    """Play a block of games to their ends, or to the limit."""
    here = np.full(games, roads.start, roads.after.dtype)
    ends = np.zeros((limit, 2), np.int64)
    numbers = np.empty((3, LANES), np.uint64)
    spots = np.empty(DRAWS, roads.after.dtype)
    draws = numbers[2].view(np.uint32)
    _walk(roads.after, roads.shift, roads.bounds, here, ends, key, numbers, draws, spots)
    return ends


_64 = np.uint64


@njit(cache=True, inline="always")
def _seed(numbers: Words, key: np.uint64) -> None:
    for lane in range(LANES):
        for which in range(2):
            word = key + _64(2 * lane + which + 1) * GOLDEN
            word = (word ^ (word >> _64(30))) * MIX[0]
            word = (word ^ (word >> _64(27))) * MIX[1]
            numbers[which, lane] = word ^ (word >> _64(31))


@njit(cache=True, inline="always")
def _draw(ours: Words, theirs: Words, drawn: Words) -> None:
    for lane in range(LANES):
        a, b = ours[lane], theirs[lane]
        both = a + b
        drawn[lane] = ((both << _64(17)) | (both >> _64(47))) + a
        b ^= a
        ours[lane] = ((a << _64(49)) | (a >> _64(15))) ^ b ^ (b << _64(21))
        theirs[lane] = (b << _64(28)) | (b >> _64(36))


@njit(cache=True, nogil=True)
def _walk(  # noqa: PLR0913, PLR0917 # compiled code is given its memory
    after: NDArray[Any],
    shift: np.unsignedinteger[Any],
    bounds: NDArray[np.uint32],
    here: NDArray[Any],
    ends: Ends,
    key: np.uint64,
    numbers: Words,
    draws: Draws,
    spots: NDArray[Any],
) -> None:
    """Step by step; of the games of a step, those that go on close ranks."""
    _seed(numbers, key)
    ours, theirs, drawn = numbers[0], numbers[1], numbers[2]
    one = shift // shift
    low_bits = (one << shift) - one
    even = len(bounds) == 0
    alive = len(here)
    for ply in range(len(ends)):
        going, second = _64(0), _64(0)
        for begin in range(0, alive, DRAWS):
            _draw(ours, theirs, drawn)
            size = min(DRAWS, alive - begin)
            block = here[begin : begin + size]
            if even:  # in loops of their own these few lines become vector instructions
                for at in range(size):
                    word = block[at]
                    chosen = (_64(draws[at]) * _64(word & low_bits)) >> _64(33)
                    spots[at] = (word >> shift) + type(word)(chosen)
            else:
                for at in range(size):
                    spot = block[at] >> shift
                    while draws[at] > bounds[spot]:
                        spot += one
                    spots[at] = spot
            for at in range(size):
                word = after[spots[at]]
                here[going] = word
                going += _64(word > one)
                second += _64(word & one)
        ends[ply, 0] = alive - going - second
        ends[ply, 1] = second
        alive = int(going)
        if alive == 0:
            break
