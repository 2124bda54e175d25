"""The best reply to a policy: what an opponent who knows it can make of every position, exactly."""

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
from duelbook.research.policies import Shares

Values = NDArray[np.float64]
EXACT = 1e-10


def best_reply(table: Table, shares: Shares, seat: int) -> Values:
    """Return the value of each position to a seat that replies best to the other's policy.

    Positions that the seat cannot tell apart have one value together, which stands with the first.
    """
    if table.steps_forward and not secrecy.keeps_secrets(table.game):
        return _layer_by_layer(table, shares, seat)
    return _Reply.to(table, shares, seat).values()


def _ends(table: Table, seat: int) -> Values:
    return np.where(table.winner < 0, 0.0, np.where(table.winner == seat, 1.0, -1.0))


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
    """The game that is left for one seat when the other's policy is known.

    A row of `leads` is a choice that can be made at the position `at`, with the chances of where
    it leads. Where the policy moves there is one row. Positions that the seat cannot tell apart
    are one position, with the chances that the policy has led to each.
    """

    title: str
    at: NDArray[np.int32]
    leads: csr_array[np.float64]
    ends: Values
    is_end: NDArray[np.bool_]

    @classmethod
    def to(cls, table: Table, shares: Shares, seat: int) -> _Reply:
        _ = table.secret_sets  # refuses secrets that are more than a choice and its answer
        size, here = len(table), table.sources
        _, firsts = np.unique(table.infosets, return_index=True)
        mine = table.mover == seat
        one_for_all = np.where(mine, firsts[table.infosets], np.arange(size))
        arrivals = np.bincount(table.after, shares, size)
        arrivals[np.bincount(one_for_all, arrivals, size)[one_for_all] == 0] = 1.0  # all as likely
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
        return cls(table.game.title, at, leads, _ends(table, seat), table.winner >= 0)

    def values(self) -> Values:
        """Return the least values that no choice can better.

        They are least so that going round in a circle promises nothing; but where the seat can go
        on for ever, it need not take less than 0.
        """
        size, rows = len(self.ends), len(self.at)
        here = csr_array((np.ones(rows), (np.arange(rows), self.at)), shape=(rows, size))
        low = np.where(self.is_end, self.ends, np.where(self._can_go_on(), 0.0, -1.0))
        gains: Any = self.leads - here  # of any type, because linprog's stubs know no sparse arrays
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

    def _can_go_on(self) -> NDArray[np.bool_]:
        """Return where the seat can see to it that play never ends."""
        going = ~self.is_end
        while True:
            safe = self.leads @ (~going).astype(np.float64) == 0
            still = going & (np.bincount(self.at, safe, len(going)) > 0)
            if (still == going).all():
                return going
            going = still
