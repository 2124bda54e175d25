"""Compiled playouts: for a key, the same games as `playouts`, hundreds of times as fast.

A position is one machine word: the index of its first move, and the number of its moves. The word
of a terminal position is the number of its result, which is below all other words. So a step is a
multiplication and one look-up, or two if the moves of a position are not equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from duelbook.research.kernels.compiled_random import mixed
from duelbook.research.playouts import CHUNK, NARROW, WIDE, Ends, MoveSampler, trimmed
from duelbook.research.random_streams import DRAWS, GOLDEN, LANES, Words
from duelbook.solver.tables.array_rules import DRAWN

_32, _64 = np.uint32, np.uint64
Packed = NDArray[np.uint32 | np.uint64]
DRAWN_WORD = 2  # the words of a win are 0 and 1


@dataclass(frozen=True, eq=False)
class PackedSampler:
    """A MoveSampler as machine words; they have 32 bits if that is enough."""

    start: np.unsignedinteger[Any]
    after: Packed
    """The word of the position after each move; the first entries are unused."""
    aliases: Packed
    """Empty if all moves of a position are equally likely."""
    least: np.unsignedinteger[Any]
    """The smallest word of a position that is not terminal."""
    drawable: bool
    """Whether a game can be drawn."""
    winner: NDArray[np.int8]
    """The winner of each result of a game with scores; empty for other games."""

    @classmethod
    def of(cls, sampler: MoveSampler) -> PackedSampler:
        """Return a sampler as words."""
        unused = (sampler.results >> sampler.shift) + 1
        words = _words(sampler, unused)
        after = np.zeros(unused + len(sampler.after), sampler.word)
        for at in range(0, len(sampler.after), CHUNK):
            part = slice(at, at + CHUNK)
            np.take(words, sampler.after[part], out=after[unused:][part], mode="clip")  # no copy
        aliases = sampler.aliases
        if len(aliases):
            aliases = np.concatenate([np.zeros(unused, sampler.word), aliases])
        winner = sampler.scores.winner if sampler.scores else np.empty(0, np.int8)
        drawable = bool((sampler.winner == DRAWN).any())
        least = sampler.word(unused << sampler.shift)
        return cls(words[0], after, aliases, least, drawable, winner)


def _words(sampler: MoveSampler, unused: int) -> Packed:
    """Return the word of each position."""
    words = np.empty(len(sampler.winner), sampler.word)
    for at in range(0, len(words), CHUNK):
        part = slice(at, at + CHUNK)
        rows, winner = sampler.rows[at : at + CHUNK + 1], sampler.winner[part]
        counts = np.diff(rows)
        going = ((rows[:-1] + unused) << sampler.shift) | counts
        result = np.where(winner == DRAWN, DRAWN_WORD, winner)
        result = sampler.scores.result[part] if sampler.scores else result
        words[part] = np.where(counts > 0, going, result)
    return words


def playout(
    sampler: PackedSampler,
    games: int,
    limit: int,
    key: np.uint64,
    tally: NDArray[np.int64] | None = None,
) -> Ends:
    """Play a block of games to the end or the limit; add the results to a tally."""
    counts = np.zeros(len(sampler.winner), np.int64) if tally is None else tally
    positions = np.full(games, sampler.start, sampler.after.dtype)
    ends = np.zeros((limit, 3), np.int64)
    go = _playout_narrow if sampler.after.dtype == _32 else _playout_wide
    rules = sampler.after, sampler.aliases, sampler.least, sampler.drawable, sampler.winner
    go(*rules, positions, ends, counts, key)
    return trimmed(ends)


@njit(cache=True, inline="always")
def _seed(numbers: Words, key: np.uint64) -> None:
    for lane in range(LANES):
        for which in range(2):
            numbers[which, lane] = mixed(key + _64(2 * lane + which + 1) * GOLDEN)


@njit(cache=True, inline="always")
def _draw(first: Words, second: Words, drawn: Words) -> None:
    for lane in range(LANES):
        a, b = first[lane], second[lane]
        both = a + b
        drawn[lane] = ((both << _64(17)) | (both >> _64(47))) + a
        b ^= a
        first[lane] = ((a << _64(49)) | (a >> _64(15))) ^ b ^ (b << _64(21))
        second[lane] = (b << _64(28)) | (b >> _64(36))


@njit(cache=True, inline="always")
def _count_results(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    after: Packed,
    spots: Packed,
    positions: Packed,
    going: np.uint64,
    least: np.unsignedinteger[Any],
    winner: NDArray[np.int8],
    tally: NDArray[np.int64],
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Move the games with scores, and count their results.

    Return the number of unfinished games, of wins of seat 0, and of draws.
    """
    won, drawn = _64(0), _64(0)
    for at in range(len(spots)):
        word = after[spots[at]]
        positions[going] = word
        if word < least:
            tally[word] += 1
            won += _64(winner[word] == 0)
            drawn += _64(winner[word] == DRAWN)
        else:
            going += _64(1)
    return going, won, drawn


@njit(cache=True, inline="always")
def _playout(  # noqa: PLR0913, PLR0917 # all that a block of games needs
    after: Packed,
    aliases: Packed,
    least: np.unsignedinteger[Any],
    drawable: bool,
    winner: NDArray[np.int8],
    positions: Packed,
    ends: Ends,
    tally: NDArray[np.int64],
    key: np.uint64,
    shift: np.unsignedinteger[Any],
    spare: np.unsignedinteger[Any],
) -> None:
    """Play all games ply by ply; the unfinished games move to the front of the array.

    The lowest `spare` bits of a random number are unused, so that a product fits into a word. Short
    loops either compute or look up. Loops that compute become vector instructions. In loops that
    look up, the processor overlaps the look-ups.
    """
    numbers = np.empty((3, LANES), _64)
    draws = numbers[2].view(_32)
    spots, alias_entries = np.empty((2, DRAWS), positions.dtype)
    _seed(numbers, key)
    one = shift // shift
    bits = type(one)(32) - spare
    low_bits, fraction_bits = (one << shift) - one, (one << bits) - one
    alive = len(positions)
    for ply in range(len(ends)):
        going, won, drawn = _64(0), _64(0), _64(0)
        for begin in range(0, alive, DRAWS):
            _draw(numbers[0], numbers[1], numbers[2])
            size = min(DRAWS, alive - begin)
            block = positions[begin : begin + size]
            for at in range(size):
                product = type(one)(type(one)(draws[at] >> spare) * (block[at] & low_bits))
                spots[at] = (block[at] >> shift) + (product >> bits)
            if len(aliases):
                for at in range(size):
                    alias_entries[at] = aliases[spots[at]]
                for at in range(size):
                    product = type(one)(type(one)(draws[at] >> spare) * (block[at] & low_bits))
                    is_own = product & fraction_bits < alias_entries[at] >> shift
                    alias = (block[at] >> shift) + (alias_entries[at] & low_bits)
                    spots[at] = spots[at] if is_own else alias
            if len(winner):
                results = _count_results(
                    after, spots[:size], positions, going, least, winner, tally
                )
                going, won, drawn = results[0], won + results[1], drawn + results[2]
            elif drawable:
                for at in range(size):
                    word = after[spots[at]]
                    positions[going] = word
                    going += _64(word >= least)
                    won += _64(word < one)
                    drawn += _64(word == one + one)
            else:  # a shorter loop, for most games
                for at in range(size):
                    word = after[spots[at]]
                    positions[going] = word
                    going += _64(word >= least)
                    won += _64(word < one)
        ends[ply, 0] = won
        ends[ply, 1] = alive - going - won - drawn
        ends[ply, 2] = drawn
        alive = int(going)
        if alive == 0:
            break


# Constant arguments let the compiler optimise each version.


@njit(cache=True, nogil=True)
def _playout_narrow(  # noqa: PLR0913, PLR0917 # as above
    after: Packed,
    aliases: Packed,
    least: np.uint32,
    drawable: bool,
    winner: NDArray[np.int8],
    positions: Packed,
    ends: Ends,
    tally: NDArray[np.int64],
    key: np.uint64,
) -> None:
    shift = _32(NARROW)
    _playout(after, aliases, least, drawable, winner, positions, ends, tally, key, shift, shift)


@njit(cache=True, nogil=True)
def _playout_wide(  # noqa: PLR0913, PLR0917 # as above
    after: Packed,
    aliases: Packed,
    least: np.uint64,
    drawable: bool,
    winner: NDArray[np.int8],
    positions: Packed,
    ends: Ends,
    tally: NDArray[np.int64],
    key: np.uint64,
) -> None:
    _playout(
        after, aliases, least, drawable, winner, positions, ends, tally, key, _64(WIDE), _64(0)
    )
