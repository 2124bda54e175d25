"""The best reply to a policy: the exact value of every position for an opponent who knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.exact.backward import layers_backward
from duelbook.exact.tables import Table
from duelbook.exact.vectors import GOES_ON
from duelbook.research.policies import Shares

Values = NDArray[np.float64]
EXACT = 1e-10


def best_reply(table: Table, shares: Shares, seat: int) -> Values:
    """Return the value of each position for a seat that plays a best reply to the other's policy.

    An information set of the seat has one value, stored at its first position.
    """
    if table.steps_forward and not secrecy.keeps_secrets(table.game):
        return _layer_by_layer(table, shares, seat)
    return _Reply.to(table, shares, seat).values()


def _ends(table: Table, seat: int) -> Values:
    return table.pays(seat)


def _layer_by_layer(table: Table, shares: Shares, seat: int) -> Values:
    values = _ends(table, seat)
    for layer in layers_backward(table):
        later = values[table.after[layer.edges]]
        expected = np.add.reduceat(later * shares[layer.edges], layer.starts)
        best = np.maximum.reduceat(later, layer.starts)
        values[layer.busy] = np.where(table.mover[layer.busy] == seat, best, expected)
    return values


@dataclass(frozen=True, eq=False)
class _Reply:
    """The Markov decision process of one seat when the other's policy is known.

    A row of `leads` is a choice at the position `at`, with the probabilities of the next positions.
    Where the policy moves there is one row. An information set of the seat is merged into one
    position, weighted by the probabilities with which the policy leads to its members.
    """

    title: str
    at: NDArray[np.int32]
    leads: csr_array[np.float64]
    ends: Values
    is_end: NDArray[np.bool_]

    @classmethod
    def to(cls, table: Table, shares: Shares, seat: int) -> _Reply:

        _ = table.secret_sets  # refuses secrets that last longer than one answer
        size, here = len(table), table.sources
        _, firsts = np.unique(table.infosets, return_index=True)
        mine = table.mover == seat
        one_for_all = np.where(mine, firsts[table.infosets], np.arange(size))
        arrivals = np.bincount(table.after, shares, size)
        arrivals[np.bincount(one_for_all, arrivals, size)[one_for_all] == 0] = (
            1.0  # unreached sets: equally likely
        )
        belief = arrivals / np.bincount(one_for_all, arrivals, size)[one_for_all]
        choices = np.where(mine, np.diff(table.rows), np.minimum(np.diff(table.rows), 1))
        choices[one_for_all != np.arange(size)] = 0
        first_row = np.cumsum(choices) - choices
        along = np.where(mine[here], np.arange(len(here)) - table.rows[here], 0)
        row = first_row[one_for_all[here]] + along
        weight = np.where(mine[here], belief[here], shares)
        leads = csr_array(
            (weight, (row, one_for_all[table.after])), shape=(int(choices.sum()), size)
        )
        at = np.repeat(np.arange(size, dtype=np.int32), choices)
        return cls(table.game.title, at, leads, _ends(table, seat), table.winner != GOES_ON)

    def values(self) -> Values:
        """Return the least values that no choice can improve.

        They are least so that a cycle by itself has no value; but where the seat can go on
        forever, its value is at least 0.
        """
        size, rows = len(self.ends), len(self.at)
        here = csr_array((np.ones(rows), (np.arange(rows), self.at)), shape=(rows, size))
        low = np.where(self.is_end, self.ends, np.where(self._can_go_on_forever(), 0.0, -1.0))
        gains: Any = (
            self.leads - here
        )  # Any, because linprog's type stubs do not support sparse arrays
        high = np.where(self.is_end, self.ends, 1.0)
        solved = linprog(
            np.ones(size),
            A_ub=gains,
            b_ub=np.zeros(rows),
            bounds=list(zip(low.tolist(), high.tolist(), strict=True)),
            options={"primal_feasibility_tolerance": EXACT, "dual_feasibility_tolerance": EXACT},
        )
        if not solved.success:
            raise DuelbookError(f"No best reply was found in {self.title}: {solved.message}")
        return np.asarray(solved.x, np.float64)

    def _can_go_on_forever(self) -> NDArray[np.bool_]:
        """Return for each position whether the seat can force endless play."""
        going = ~self.is_end
        while True:
            safe = self.leads @ (~going).astype(np.float64) == 0
            still = going & (np.bincount(self.at, safe, len(going)) > 0)
            if (still == going).all():
                return going
            going = still
