"""The best reply to a known policy: the exact value of every position for the opponent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from duelbook import secrecy
from duelbook.research.policies import Shares
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.backward_induction import layers_backward
from duelbook.solver.values.decision_process import Decisions

Values = NDArray[np.float64]


def best_reply(table: Table, shares: Shares, seat: int) -> Values:
    """Return the value of each position for a seat that plays a best reply to the other's policy.

    An information set of the seat has one value, stored at its first position.
    """
    if table.steps_forward and not secrecy.keeps_secrets(table.game):
        return _layer_by_layer(table, shares, seat)
    return _decisions(table, shares, seat).values()


def _layer_by_layer(table: Table, shares: Shares, seat: int) -> Values:
    values = table.pays(seat).copy()
    for layer in layers_backward(table):
        later = values[table.after[layer.edges]]
        expected = np.add.reduceat(later * shares[layer.edges], layer.starts)
        best = np.maximum.reduceat(later, layer.starts)
        values[layer.busy] = np.where(table.mover[layer.busy] == seat, best, expected)
    return values


def _decisions(table: Table, shares: Shares, seat: int) -> Decisions:
    """Return the choices of a seat against a known policy of the other seat.

    The positions of an information set of the seat become one position. The policy's probabilities
    of reaching them are their weights.
    """
    _ = table.secret_sets  # refuses private information beyond one answer
    size, here = len(table), table.sources
    _, firsts = np.unique(table.infosets, return_index=True)
    mine = table.mover == seat
    one_for_all = np.where(mine, firsts[table.infosets], np.arange(size))
    arrivals = np.bincount(table.after, shares, size)
    # The positions of an unreached set are equally likely.
    arrivals[np.bincount(one_for_all, arrivals, size)[one_for_all] == 0] = 1.0
    belief = arrivals / np.bincount(one_for_all, arrivals, size)[one_for_all]
    choices = np.where(mine, np.diff(table.rows), np.minimum(np.diff(table.rows), 1))
    choices[one_for_all != np.arange(size)] = 0
    first_row = np.cumsum(choices) - choices
    along = np.where(mine[here], np.arange(len(here)) - table.rows[here], 0)
    row = first_row[one_for_all[here]] + along
    weight = np.where(mine[here], belief[here], shares)
    leads = csr_array((weight, (row, one_for_all[table.after])), shape=(int(choices.sum()), size))
    at = np.repeat(np.arange(size, dtype=np.int32), choices)
    return Decisions(table.game.title, at, leads, table.pays(seat), table.winner != ONGOING)
