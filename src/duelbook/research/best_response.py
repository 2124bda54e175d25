"""The best response to a known policy: the exact value of every position for the opponent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from duelbook import secrecy
from duelbook.research.policies import Shares
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.backward_induction import TableSlice, backward_induction
from duelbook.solver.values.decision_process import Decisions

Values = NDArray[np.float64]


def best_response(table: Table, shares: Shares, seat: int) -> Values:
    """Return the value of each position for a seat that plays a best response to a policy.

    An information set of the seat has one value, stored at its first position.
    """
    if table.steps_forward and not secrecy.keeps_secrets(table.game):
        return _by_layers(table, shares, seat)
    return _decisions(table, shares, seat).values()


def _by_layers(table: Table, shares: Shares, seat: int) -> Values:
    def back_up(part: TableSlice, values: Values) -> Values:
        later = values[part.after]
        expected = np.add.reduceat(later * shares[part.moves], part.starts)
        best = np.maximum.reduceat(later, part.starts)
        return np.where(part.mover == seat, best, expected)

    values = table.pays(seat).copy()
    backward_induction(table, values, back_up)
    return values


def _decisions(table: Table, shares: Shares, seat: int) -> Decisions:
    """Return the choices of a seat against a known policy of the other seat.

    The positions of an information set of the seat become one position. The policy's probabilities
    of reaching them are their weights.
    """
    _ = table.secret_sets  # refuses private information beyond one answer
    size, sources = len(table), table.sources
    _, firsts = np.unique(table.infosets, return_index=True)
    seat_decides = table.mover == seat
    representative = np.where(seat_decides, firsts[table.infosets], np.arange(size))
    arrivals = np.bincount(table.after, shares, size)
    # The positions of an unreached set are equally likely.
    arrivals[np.bincount(representative, arrivals, size)[representative] == 0] = 1.0
    belief = arrivals / np.bincount(representative, arrivals, size)[representative]
    choices = np.where(seat_decides, np.diff(table.rows), np.minimum(np.diff(table.rows), 1))
    choices[representative != np.arange(size)] = 0
    first_row = np.cumsum(choices) - choices
    along = np.where(seat_decides[sources], np.arange(len(sources)) - table.rows[sources], 0)
    row = first_row[representative[sources]] + along
    weight = np.where(seat_decides[sources], belief[sources], shares)
    leads = csr_array(
        (weight, (row, representative[table.after])), shape=(int(choices.sum()), size)
    )
    at = np.repeat(np.arange(size, dtype=np.int32), choices)
    return Decisions(table.game.title, at, leads, table.pays(seat), table.winner != ONGOING)
