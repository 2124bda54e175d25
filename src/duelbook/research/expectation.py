"""Expectation: the exact results of play between two policies, by linear algebra."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.linalg import spsolve

from duelbook.research.policies import Shares
from duelbook.solver.tables.array_rules import DRAWN
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.backward_induction import TableSlice, backward_induction

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Expectation:
    """The expected results of play from each position of a table."""

    wins: Numbers
    """The probability that each seat (columns) wins."""
    draws: Numbers
    """The probability of a draw."""
    plies: Numbers
    """The mean number of plies to the end; infinite where play may never end."""
    paid: Numbers
    """The expected payoff of each position to the first seat."""

    @property
    def endless(self) -> Numbers:
        """The probability that play never ends."""
        unended: Numbers = np.clip(1 - self.wins.sum(1) - self.draws, 0, 1)
        return np.where(unended < 1e-9, 0.0, unended)

    @property
    def values(self) -> Numbers:
        """The value of each position for the first seat: wins minus losses, or the payoff."""
        return self.paid


def expectation(table: Table, shares: Shares) -> Expectation:
    """Return the expected results of play if each move has the given probability."""
    results = [table.winner == result for result in (0, 1, DRAWN)]
    at_end = np.stack([*results, np.zeros(len(table)), table.pays(0)], axis=1).astype(np.float64)
    step = np.array([0.0, 0.0, 0.0, 1.0, 0.0])  # a move adds a ply but no result
    if table.steps_forward:
        values = _by_layers(table, shares, at_end, step)
    else:
        values = _all_at_once(table, shares, at_end, step)
    result = Expectation(values[:, :2], values[:, 2], values[:, 3], values[:, 4])
    result.plies[result.endless > 0] = np.inf
    return result


def visits(table: Table, shares: Shares) -> Numbers:
    """Return the expected number of visits to each position from which play can end."""
    count = np.zeros(len(table))
    count[0] = 1
    if table.steps_forward:
        for begin, end in zip(table.layers, table.layers[1:], strict=False):
            edges = slice(table.rows[begin], table.rows[end])
            flow = np.repeat(count[begin:end], np.diff(table.rows[begin : end + 1])) * shares[edges]
            count += np.bincount(table.after[edges], flow, len(table))
        return count
    within, matrix = _transitions(table, shares)
    return _put(within, _solve(matrix.T, count[within]), count * 0)


def _by_layers(table: Table, shares: Shares, values: Numbers, step: Numbers) -> Numbers:
    def back_up(part: TableSlice, values: Numbers) -> Numbers:
        # A matrix product needs no copy of the values after each move.
        rows = np.append(part.starts, len(part.after))
        shape = (len(part.starts), len(table))
        matrix = csr_array((shares[part.moves], part.after, rows), shape=shape)
        later: Numbers = matrix @ values
        return later + step

    backward_induction(table, values, back_up)
    return values


def _all_at_once(table: Table, shares: Shares, values: Numbers, step: Numbers) -> Numbers:
    within, matrix = _transitions(table, shares)
    sources = table.sources
    ended = np.stack(
        [np.bincount(sources, shares * column[table.after], len(table)) for column in values.T],
        axis=1,
    )
    return _put(within, _solve(matrix, (ended + step)[within]), values)


def _put(within: NDArray[np.intp], values: Numbers, into: Numbers) -> Numbers:
    into[within] = values
    return into


def _transitions(table: Table, shares: Shares) -> tuple[NDArray[np.intp], csr_array[np.float64]]:
    """Return the positions from which play can end, and the transition matrix between them."""
    size = len(table)
    matrix = csr_array((shares, table.after, table.rows), shape=(size, size))
    open_ = np.diff(table.rows) > 0
    reaches = ~open_
    while True:
        more = reaches | (matrix @ reaches.astype(np.float64) > 0)
        if (more == reaches).all():
            break
        reaches = more
    within = np.flatnonzero(reaches & open_)
    return within, matrix[within][:, within]


def _solve(matrix: csr_array[np.float64] | csc_array[np.float64], constant: Numbers) -> Numbers:
    """Solve x = matrix @ x + constant."""
    if not len(constant):
        return constant
    solved: Numbers = spsolve(csc_array(eye_array(matrix.shape[0]) - matrix), constant)
    return solved.reshape(constant.shape)
