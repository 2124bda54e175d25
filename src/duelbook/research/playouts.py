"""Playouts: play a block of games over a table in parallel, one ply of all games at a time.

A `MoveSampler` is a policy prepared for sampling. `compiled_playouts` plays exactly the same games
with compiled code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from duelbook.research.policies import Shares
from duelbook.research.random_streams import DRAWS, Draws, Generator
from duelbook.solver.tables.array_rules import DRAWN, ONGOING
from duelbook.solver.tables.position_table import Table

NARROW, WIDE = 6, 32
"""The bits for the number of moves of a position, in a machine word of 32 or 64 bits.

The other 26 or 32 bits hold the index of its first move. The probabilities of moves have the same
precision, 26 or 32 bits. `compiled_playouts` compiles these constants and those of
`random_streams`, and numba caches the result. After a change here, edit that file too, or numba
will not recompile.
"""
CHUNK = 1 << 17
"""The number of moves or positions to prepare at once; their arrays fit into a cache."""
Ends = NDArray[np.int64]
"""Counts of games by plies (rows) and result (columns): seat 0 wins, seat 1 wins, draw."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The different results of a game with scores, and the result of each position."""

    payoffs: NDArray[np.float64]
    """The payoff of each result to seat 0."""
    winner: NDArray[np.int8]
    """The winner of each result, or DRAWN, or ONGOING for positions that are not terminal."""
    result: NDArray[np.int32]
    """The result of each position."""

    @classmethod
    def of(cls, table: Table) -> Scores | None:
        """Return the results of a table, if its game has scores."""
        if table.paid is None:
            return None
        pairs = np.stack([table.winner.astype(np.float64), table.paid])
        results, result = np.unique(pairs, axis=1, return_inverse=True)
        return cls(results[1], results[0].astype(np.int8), result.reshape(-1).astype(np.int32))


@dataclass(frozen=True, eq=False)
class MoveSampler:
    """The moves with positive probability, prepared for Walker's alias method.

    The moves of position p are the entries `rows[p]` to `rows[p + 1]` of `after` and `actions`.
    A random number gives one of them, all equally likely, and a fraction. If the fraction is not
    below the move's own share, the choice is the move's alias instead.
    """

    rows: NDArray[np.int64]
    after: NDArray[np.int32]
    actions: NDArray[np.uint8 | np.uint16]
    shares: Shares | None
    """None if all moves of a position are equally likely."""
    winner: NDArray[np.int8]
    scores: Scores | None = None

    @classmethod
    def of(cls, table: Table, shares: Shares | None) -> MoveSampler:
        """Return the sampler of a policy, without moves of probability 0; None means random."""
        rows, after, actions, scores = table.rows, table.after, table.actions, Scores.of(table)
        if shares is not None and not shares.all():
            is_played = shares > 0
            counts = np.add.reduceat(np.append(is_played, False), rows[:-1], dtype=np.int64)
            counts[np.diff(rows) == 0] = 0
            rows = np.concatenate([[0], np.cumsum(counts)])
            after, actions, shares = after[is_played], actions[is_played], shares[is_played]
        if shares is not None and _is_uniform(rows, shares):
            shares = None
        return cls(rows, after, actions, shares, table.winner, scores)

    def new_tally(self) -> NDArray[np.int64]:
        """Return a count of 0 for each result of a game with scores; nothing for other games."""
        return np.zeros(len(self.scores.payoffs) if self.scores else 0, np.int64)

    @property
    def results(self) -> int:
        """The number of different results of the game."""
        return len(self.scores.payoffs) if self.scores else 3

    @cached_property
    def shift(self) -> int:
        """The bits for a number of moves: NARROW if a word of 32 bits can hold a position."""
        entries = len(self.after) + (self.results >> NARROW) + 1
        parts = (self.rows[at : at + CHUNK + 1] for at in range(0, len(self.rows) - 1, CHUNK))
        fits = entries < 1 << 32 - NARROW and all(np.diff(p).max() < 1 << NARROW for p in parts)
        return NARROW if fits else WIDE

    @property
    def bits(self) -> int:
        """The bits of a random number that choose a move."""
        return 32 - NARROW if self.shift == NARROW else 32

    @cached_property
    def aliases(self) -> NDArray[np.uint32 | np.uint64]:
        """Each move's own share in the upper `bits`, and the index of its alias in the lower."""
        entries = np.empty(0 if self.shares is None else len(self.after), self.word)
        if self.shares is not None:
            for first, last in _chunks(self.rows):
                moves = slice(self.rows[first], self.rows[last])
                counts = np.diff(self.rows[first : last + 1])
                own_shares, aliases = _alias(counts[counts > 0], self.shares[moves], self.bits)
                entries[moves] = (own_shares << self.shift) | aliases
        return entries

    @property
    def word(self) -> type[np.uint32 | np.uint64]:
        """The type of a machine word that holds a position."""
        return np.uint32 if self.shift == NARROW else np.uint64


def _chunks(rows: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield ranges of positions with about CHUNK moves each."""
    edges = np.searchsorted(rows, np.arange(CHUNK, rows[-1], CHUNK))
    return pairwise(dict.fromkeys([0, *edges.tolist(), len(rows) - 1]))


def _is_uniform(rows: NDArray[np.int64], shares: Shares) -> bool:
    """Return whether all moves of a position are equally likely."""
    for first, last in _chunks(rows):
        counts = np.diff(rows[first : last + 1])
        part = shares[rows[first] : rows[last]]
        if not np.allclose(part * np.repeat(counts, counts), 1, rtol=0, atol=1e-12):
            return False
    return True


def _alias(
    counts: NDArray[np.int64], shares: Shares, bits: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the own share of each move in its column of 2 ** bits, and the index of its alias.

    A position has a column for each move. A light move leaves room in its column. The heavy moves
    fill this room in order. A heavy move without surplus shares its column with the next one.
    """
    full = 1 << bits
    begins = np.cumsum(counts) - counts
    weights = np.rint(shares * np.repeat(counts * float(full), counts)).astype(np.int64)
    source = np.repeat(np.arange(len(counts)), counts)
    heaviest = np.empty(len(counts), np.int64)
    most = np.flatnonzero(weights == np.maximum.reduceat(weights, begins)[source])
    heaviest[source[most]] = most
    weights[heaviest] += counts * full - np.add.reduceat(weights, begins)  # correct the rounding
    own_shares, aliases = np.minimum(weights, full), np.arange(len(weights))
    light, heavy = np.flatnonzero(weights < full), np.flatnonzero(weights > full)
    free, surplus = np.cumsum(full - weights[light]), np.cumsum(weights[heavy] - full)
    before = free - (full - weights[light])
    aliases[light] = heavy[np.searchsorted(surplus, before, side="right")]
    unfilled = free[np.searchsorted(free, surplus)] - surplus
    own_shares[heavy] = full - unfilled
    aliases[heavy[:-1]] = np.where(unfilled[:-1] > 0, heavy[1:], heavy[:-1])
    # A full column is its own alias, so a share of `full` needs no representation.
    return np.minimum(own_shares, full - 1), aliases - begins[source]


@dataclass(frozen=True, eq=False)
class PlayoutRecord:
    """Every move of a block of games, in order of time: its game, position and action."""

    game: NDArray[np.int64]
    position: NDArray[np.int32]
    action: NDArray[np.uint8 | np.uint16]


def playout(  # noqa: PLR0913 # all that a block of games needs
    sampler: MoveSampler,
    games: int,
    limit: int,
    key: np.uint64,
    tally: NDArray[np.int64] | None = None,
    *,
    record: bool = True,
) -> tuple[Ends, PlayoutRecord]:
    """Play a block of games to the end or the limit; add the results to a tally."""
    generator = Generator(key)
    positions, ids = np.zeros(games, np.int32), np.arange(games)
    ends = np.zeros((limit, 3), np.int64)
    steps = [(ids[:0], positions[:0], np.empty(0, np.int64))]
    for ply in range(limit):
        draws = generator.rows(-(-len(positions) // DRAWS))[: len(positions)]
        edges = _chosen(sampler, positions, draws)
        if record:
            steps.append((ids, positions, edges))
        positions = sampler.after[edges]
        winner = sampler.winner[positions]
        ends[ply] = [np.count_nonzero(winner == result) for result in (0, 1, DRAWN)]
        if tally is not None and sampler.scores:
            results = sampler.scores.result[positions[winner != ONGOING]]
            tally += np.bincount(results, minlength=len(tally))
        positions, ids = positions[winner == ONGOING], ids[winner == ONGOING]
        if not len(positions):
            break
    game, position, edge = (np.concatenate(column) for column in zip(*steps, strict=True))
    return trimmed(ends), PlayoutRecord(game, position, sampler.actions[edge])


def _chosen(sampler: MoveSampler, positions: NDArray[np.int32], draws: Draws) -> NDArray[np.int64]:
    """Return the move that a random number chooses in each game."""
    begins = sampler.rows[positions]
    product = (draws >> (32 - sampler.bits)).astype(np.int64) * (
        sampler.rows[positions + 1] - begins
    )
    edges = begins + (product >> sampler.bits)
    if sampler.shares is None:
        return edges
    entries = sampler.aliases[edges].astype(np.uint64)
    aliases = begins + (entries & np.uint64((1 << sampler.shift) - 1)).astype(np.int64)
    fraction = (product & ((1 << sampler.bits) - 1)).astype(np.uint64)
    return np.where(fraction < entries >> np.uint64(sampler.shift), edges, aliases)


def trimmed(ends: Ends) -> Ends:
    """Return the counts without the plies after the end of the last game."""
    last = np.flatnonzero(ends.any(axis=1))
    return ends[: last[-1] + 1 if len(last) else 0]
