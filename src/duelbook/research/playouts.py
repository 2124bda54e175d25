"""Playouts: a block of games played over a table in parallel, all games move by move.

A `MoveSampler` is a policy prepared for sampling. `compiled_playouts` plays exactly the same games
with compiled code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duelbook.exact.tables import Table
from duelbook.exact.vectors import DRAWN, GOES_ON
from duelbook.research.policies import Shares
from duelbook.research.random_streams import DRAWS, Generator

NARROW = 6
"""Bits for twice the number of moves; where they suffice, choices are uniform to 26 bits.

`compiled_playouts` compiles this constant and those of `random_streams`, and numba caches the
result: edit that file too after a change here, or numba will not recompile.
"""
Ends = NDArray[np.int64]
"""The number of games that ended with seat 0 or 1 winning or drawn (columns), by plies (rows)."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The different results of a game with scores, and which of them each position is."""

    payoffs: NDArray[np.float64]
    """What each result pays to seat 0."""
    winner: NDArray[np.int8]
    """Who wins with each result, or DRAWN; GOES_ON is the result of all other positions."""
    result: NDArray[np.int32]
    """The result of each position."""

    @classmethod
    def of(cls, table: Table) -> Scores | None:
        """Return the results of a table, if its game has scores."""
        if table.paid is None:
            return None
        pairs = np.stack([table.winner.astype(np.float64), table.paid])
        found, result = np.unique(pairs, axis=1, return_inverse=True)
        return cls(found[1], found[0].astype(np.int8), result.reshape(-1).astype(np.int32))


@dataclass(frozen=True, eq=False)
class MoveSampler:
    """The moves with positive probability, as intervals of the numbers from 0 to 2 ** 32 - 1.

    The moves of position p are the entries `rows[p]` to `rows[p + 1]` of `after`, `actions` and
    `bounds`; a random number chooses the first move whose bound it does not exceed.
    """

    rows: NDArray[np.int64]
    after: NDArray[np.int32]
    actions: NDArray[np.uint8 | np.uint16]
    shares: Shares
    winner: NDArray[np.int8]
    scores: Scores | None = None

    @classmethod
    def of(cls, table: Table, shares: Shares) -> MoveSampler:
        """Return the sampler of a policy, without the moves of probability 0."""
        scores = Scores.of(table)
        if shares.all():
            return cls(table.rows, table.after, table.actions, shares, table.winner, scores)
        made = shares > 0
        counts = np.add.reduceat(np.append(made, False), table.rows[:-1], dtype=np.int64)
        counts[np.diff(table.rows) == 0] = 0
        rows = np.concatenate([[0], np.cumsum(counts)])
        return cls(rows, table.after[made], table.actions[made], shares[made], table.winner, scores)

    def new_tally(self) -> NDArray[np.int64]:
        """Return a count of 0 for each result of a game with scores; nothing for other games."""
        return np.zeros(len(self.scores.payoffs) if self.scores else 0, np.int64)

    @cached_property
    def even(self) -> bool:
        """Whether all moves of a position are equally likely."""
        counts = np.diff(self.rows)
        return bool(np.allclose(self.shares * np.repeat(counts, counts), 1, rtol=0, atol=1e-12))

    @property
    def narrow(self) -> bool:
        """Whether a move's index and twice a position's number of moves fit into 32 bits."""
        many = 1 << 32 - NARROW
        return len(self.after) < many and int(np.diff(self.rows).max()) < 1 << NARROW - 1

    @cached_property
    def bounds(self) -> NDArray[np.uint32]:
        """The largest number that chooses each move."""
        counts = np.diff(self.rows)
        upper: NDArray[np.int64]
        if self.even:
            index = np.arange(len(self.after)) - np.repeat(self.rows[:-1], counts)
            bits = 32 - NARROW if self.narrow else 32
            upper = -(-((index + 1) << bits) // np.repeat(counts, counts)) << 32 - bits
        else:
            upper = np.ceil(self._totals * 2.0**32).astype(np.int64)
            upper[self.rows[1:][counts > 0] - 1] = 1 << 32  # despite rounding
        return np.clip(upper - 1, 0, (1 << 32) - 1).astype(np.uint32)

    @property
    def _totals(self) -> Shares:
        """The cumulative probability of each move in its position."""
        totals = self.shares.copy()
        counts = np.diff(self.rows)
        for index in range(1, counts.max()):
            edges = self.rows[:-1][counts > index] + index
            totals[edges] += totals[edges - 1]
        return totals


@dataclass(frozen=True, eq=False)
class Record:
    """Every move of a block of games in order of time: its game, position and action."""

    game: NDArray[np.int64]
    position: NDArray[np.int32]
    action: NDArray[np.uint8 | np.uint16]


def playout(
    sampler: MoveSampler,
    games: int,
    limit: int,
    key: np.uint64,
    tally: NDArray[np.int64] | None = None,
) -> tuple[Ends, Record]:
    """Play a block of games to their ends, or to the limit; add the results to a tally."""
    generator = Generator(key)
    here, ids = np.zeros(games, np.int32), np.arange(games)
    ends = np.zeros((limit, 3), np.int64)
    steps: list[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]] = []
    for ply in range(limit):
        draws = generator.rows(-(-len(here) // DRAWS))[: len(here)]
        edges = sampler.rows[here]
        while (more := draws > sampler.bounds[edges]).any():
            edges = edges + more
        steps.append((ids, here, edges))
        here = sampler.after[edges]
        winner = sampler.winner[here]
        ends[ply] = [np.count_nonzero(winner == result) for result in (0, 1, DRAWN)]
        if tally is not None and sampler.scores:
            results = sampler.scores.result[here[winner != GOES_ON]]
            tally += np.bincount(results, minlength=len(tally))
        here, ids = here[winner == GOES_ON], ids[winner == GOES_ON]
        if not len(here):
            break
    game, position, edge = (np.concatenate(column) for column in zip(*steps, strict=True))
    return trimmed(ends), Record(game, position, sampler.actions[edge])


def trimmed(ends: Ends) -> Ends:
    """Return the counts without the plies after the last game has ended."""
    last = np.flatnonzero(ends.any(axis=1))
    return ends[: last[-1] + 1 if len(last) else 0]
