"""Compiled playouts: the same games as `playouts` for a key, hundreds of times as fast.

A position is one machine word: the index of its first move, and twice the number of its moves. In a
terminal position the word is the winner, or, in a game with scores, the number of its result as an
odd number. So a step is a multiplication and one look-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from duelbook.exact.vectors import DRAWN
from duelbook.research.playouts import NARROW, Ends, MoveSampler, trimmed
from duelbook.research.random_streams import DRAWS, GOLDEN, LANES, MIX, Draws, Words

_32, _64 = np.uint32, np.uint64
DRAWN_WORD = 3  # odd, like the word of a win of seat 1; the words of other positions are even
WIDE = 32  # bits for twice the number of moves, in a word of 64


@dataclass(frozen=True, eq=False)
class PackedSampler:
    """A MoveSampler as machine words, of 32 bits if they suffice."""

    start: np.unsignedinteger[Any]
    after: NDArray[np.uint32 | np.uint64]
    bounds: NDArray[np.uint32]
    """Empty if all moves of a position are equally likely."""
    drawable: bool
    """Whether a game can be drawn."""
    winner: NDArray[np.int8]
    """Who wins with each result of a game with scores; empty for other games."""

    @classmethod
    def of(cls, sampler: MoveSampler) -> PackedSampler:
        """Return a sampler as words."""
        counts = np.diff(sampler.rows)
        words = (sampler.rows[:-1] << (NARROW if sampler.narrow else WIDE)) | (2 * counts)
        result = np.where(sampler.winner == DRAWN, DRAWN_WORD, sampler.winner)
        if sampler.scores:
            result = 2 * sampler.scores.result.astype(np.int64) + 1
        words = np.where(counts > 0, words, result)
        words = words.astype(_32 if sampler.narrow else _64)
        bounds = np.empty(0, _32) if sampler.even else sampler.bounds
        drawable = bool((sampler.winner == DRAWN).any())
        winner = sampler.scores.winner if sampler.scores else np.empty(0, np.int8)
        return cls(words[0], words[sampler.after], bounds, drawable, winner)


def playout(
    sampler: PackedSampler,
    games: int,
    limit: int,
    key: np.uint64,
    tally: NDArray[np.int64] | None = None,
) -> Ends:
    """Play a block of games to their ends, or to the limit; add the results to a tally."""
    winner = sampler.winner
    counts = np.zeros(len(winner), np.int64) if tally is None else tally
    here = np.full(games, sampler.start, sampler.after.dtype)
    ends = np.zeros((limit, 3), np.int64)
    numbers = np.empty((3, LANES), _64)
    spots = np.empty(DRAWS, sampler.after.dtype)
    go = _playout_narrow if sampler.after.dtype == _32 else _playout_wide
    draws = numbers[2].view(_32)
    memory = here, ends, counts, key, numbers, draws, spots
    go(sampler.after, sampler.bounds, sampler.drawable, winner, *memory)
    return trimmed(ends)


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


@njit(cache=True, inline="always")
def _choose(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    block: NDArray[Any],
    bounds: NDArray[np.uint32],
    draws: Draws,
    spots: NDArray[Any],
    shift: np.unsignedinteger[Any],
    spare: np.unsignedinteger[Any],
) -> None:
    """Choose a move in each game of a block.

    The lowest `spare` bits of a random number are not used, so that a product fits into a word.
    """
    one = shift // shift
    low_bits, down = (one << shift) - one, type(one)(33) - spare
    if len(bounds):
        for at in range(len(block)):
            spot = block[at] >> shift
            while draws[at] > bounds[spot]:
                spot += one
            spots[at] = spot
    else:  # a separate loop, which compiles to vector instructions
        for at in range(len(block)):
            word = block[at]
            product = type(one)(type(one)(draws[at] >> spare) * (word & low_bits))
            spots[at] = (word >> shift) + (product >> down)


@njit(cache=True)
def _count_results(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    after: NDArray[Any],
    spots: NDArray[Any],
    here: NDArray[Any],
    going: np.uint64,
    winner: NDArray[np.int8],
    tally: NDArray[np.int64],
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Move the games with scores, and count their results.

    Return the games that go on, and of those that ended, which seat 0 has not won, and the drawn.
    """
    one, odd, drawn = _64(1), _64(0), _64(0)
    for at in range(len(spots)):
        word = after[spots[at]]
        here[going] = word
        is_over = _64(word) & one
        going += is_over ^ one
        if is_over:
            result = _64(word) >> one
            tally[result] += 1
            odd += _64(winner[result] != 0)
            drawn += _64(winner[result] == DRAWN)
    return going, odd, drawn


@njit(cache=True, inline="always")
def _playout(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    after: NDArray[Any],
    bounds: NDArray[np.uint32],
    drawable: bool,
    winner: NDArray[np.int8],
    here: NDArray[Any],
    ends: Ends,
    tally: NDArray[np.int64],
    key: np.uint64,
    numbers: Words,
    draws: Draws,
    spots: NDArray[Any],
    shift: np.unsignedinteger[Any],
    spare: np.unsignedinteger[Any],
) -> None:
    """Play all games ply by ply; the unfinished games move to the front of the array."""
    _seed(numbers, key)
    one = shift // shift
    alive = len(here)
    for ply in range(len(ends)):
        going, odd, drawn = _64(0), _64(0), _64(0)
        for begin in range(0, alive, DRAWS):
            _draw(numbers[0], numbers[1], numbers[2])
            size = min(DRAWS, alive - begin)
            _choose(here[begin : begin + size], bounds, draws, spots, shift, spare)
            if len(winner):
                came = _count_results(after, spots[:size], here, going, winner, tally)
                going, odd, drawn = came[0], odd + came[1], drawn + came[2]
            elif drawable:
                for at in range(size):
                    word = after[spots[at]]
                    here[going] = word
                    is_odd = word & one
                    going += _64(word > one) & (_64(is_odd) ^ _64(1))
                    odd += _64(is_odd)
                    drawn += _64(is_odd & (word >> one))
            else:  # a shorter loop, for most games
                for at in range(size):
                    word = after[spots[at]]
                    here[going] = word
                    going += _64(word > one)
                    odd += _64(word & one)
        ends[ply, 0] = alive - going - odd
        ends[ply, 1] = odd - drawn
        ends[ply, 2] = drawn
        alive = int(going)
        if alive == 0:
            break


# Constant arguments let the compiler optimise each version.


@njit(cache=True, nogil=True)
def _playout_narrow(  # noqa: PLR0913, PLR0917 # as above
    after: NDArray[Any],
    bounds: NDArray[np.uint32],
    drawable: bool,
    winner: NDArray[np.int8],
    here: NDArray[Any],
    ends: Ends,
    tally: NDArray[np.int64],
    key: np.uint64,
    numbers: Words,
    draws: Draws,
    spots: NDArray[Any],
) -> None:
    shift = _32(NARROW)
    _playout(
        after, bounds, drawable, winner, here, ends, tally, key, numbers, draws, spots, shift, shift
    )


@njit(cache=True, nogil=True)
def _playout_wide(  # noqa: PLR0913, PLR0917 # as above
    after: NDArray[Any],
    bounds: NDArray[np.uint32],
    drawable: bool,
    winner: NDArray[np.int8],
    here: NDArray[Any],
    ends: Ends,
    tally: NDArray[np.int64],
    key: np.uint64,
    numbers: Words,
    draws: Draws,
    spots: NDArray[Any],
) -> None:
    shift, spare = _64(WIDE), _64(0)
    _playout(
        after, bounds, drawable, winner, here, ends, tally, key, numbers, draws, spots, shift, spare
    )
