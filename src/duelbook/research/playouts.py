"""Playouts: a block of games played at once over a table, every game one move at a time.

A `MoveSampler` is a policy made ready for it. `compiled_playouts` plays the same games, number for
number, with compiled code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duelbook.exact.tables import Table
from duelbook.research.policies import Shares
from duelbook.research.random_streams import DRAWS, Generator

NARROW = 6
"""Bits for twice the number of moves; where they are enough, choices are even to 26 bits.

Like the constants of `random_streams` it is built into `compiled_playouts`, which numba keeps
compiled: change that file too, or numba will not see it.
"""
Ends = NDArray[np.int64]
"""How many games each seat won (columns) after one move, two moves and so on (rows)."""


@dataclass(frozen=True, eq=False)
class MoveSampler:
    """The moves that are made at all, and how they share the numbers from 0 to 2 ** 32 - 1.

    The moves of position p are the entries `rows[p]` to `rows[p + 1]` of `after`, `actions` and
    `bounds`; a number chooses the first one whose bound it does not exceed.
    """

    rows: NDArray[np.int64]
    after: NDArray[np.int32]
    actions: NDArray[np.uint8 | np.uint16]
    shares: Shares
    winner: NDArray[np.int8]

    @classmethod
    def of(cls, table: Table, shares: Shares) -> MoveSampler:
        """Leave out the moves that are never made."""
        if shares.all():
            return cls(table.rows, table.after, table.actions, shares, table.winner)
        made = shares > 0
        counts = np.add.reduceat(np.append(made, False), table.rows[:-1], dtype=np.int64)
        counts[np.diff(table.rows) == 0] = 0
        rows = np.concatenate([[0], np.cumsum(counts)])
        return cls(rows, table.after[made], table.actions[made], shares[made], table.winner)

    @cached_property
    def even(self) -> bool:
        """Whether the moves that are made in a position are all made equally often."""
        counts = np.diff(self.rows)
        return bool(np.allclose(self.shares * np.repeat(counts, counts), 1, rtol=0, atol=1e-12))

    @property
    def narrow(self) -> bool:
        """Whether the index of a move and twice the moves of a position fit into 32 bits."""
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
            upper[self.rows[1:][counts > 0] - 1] = 1 << 32  # whatever rounding left
        return np.clip(upper - 1, 0, (1 << 32) - 1).astype(np.uint32)

    @property
    def _totals(self) -> Shares:
        """The share of each move and of those before it in its position."""
        totals = self.shares.copy()
        counts = np.diff(self.rows)
        for index in range(1, counts.max()):
            edges = self.rows[:-1][counts > index] + index
            totals[edges] += totals[edges - 1]
        return totals


@dataclass(frozen=True, eq=False)
class Record:
    """Every move of a block of games: which game, at which position, which action; in time."""

    game: NDArray[np.int64]
    position: NDArray[np.int32]
    action: NDArray[np.uint8 | np.uint16]


def playout(sampler: MoveSampler, games: int, limit: int, key: np.uint64) -> tuple[Ends, Record]:
    """Play a block of games to their ends, or to the limit."""
    generator = Generator(key)
    here, ids = np.zeros(games, np.int32), np.arange(games)
    ends = np.zeros((limit, 2), np.int64)
    steps: list[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]] = []
    for ply in range(limit):
        draws = generator.rows(-(-len(here) // DRAWS))[: len(here)]
        edges = sampler.rows[here]
        while (more := draws > sampler.bounds[edges]).any():
            edges = edges + more
        steps.append((ids, here, edges))
        here = sampler.after[edges]
        winner = sampler.winner[here]
        ends[ply] = np.count_nonzero(winner == 0), np.count_nonzero(winner == 1)
        here, ids = here[winner < 0], ids[winner < 0]
        if not len(here):
            break
    game, position, edge = (np.concatenate(column) for column in zip(*steps, strict=True))
    return trimmed(ends), Record(game, position, sampler.actions[edge])


def trimmed(ends: Ends) -> Ends:
    """Leave out the plies after the last end."""
    last = np.flatnonzero(ends.any(axis=1))
    return ends[: last[-1] + 1 if len(last) else 0]
