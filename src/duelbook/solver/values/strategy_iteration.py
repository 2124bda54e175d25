"""Strategy iteration: the values of a table with chance or scores in which play may never end.

It finds a strategy for each seat, and then the value that each strategy guarantees against every
reply. These guarantees are bounds of the value. Values belong to seat 0; endless play has the
value 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.linalg import spsolve

from duelbook.errors import TooLarge
from duelbook.position import CHANCE
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.decision_process import Decisions
from duelbook.solver.values.interval_iteration import Bounds

Values = NDArray[np.float64]
Choice = NDArray[np.int64]
"""The chosen move of each position, as an entry of the table; meaningless at chance nodes."""
MAX_POSITIONS = 200_000
DISCOUNT = 1 - 1e-6
"""The discount factor per move, which prefers a win now to the same win later."""
IMPROVEMENT_TOLERANCE = 1e-12
GAP_TOLERANCE = 1e-10
MAX_ROUNDS = 1000


def bounds(table: Table) -> Bounds:
    """Return bounds of all values; they meet if both strategies are optimal."""
    if len(table) > MAX_POSITIONS:
        raise TooLarge(
            f"{table.game.title} has {len(table):,} positions and play may never end; "
            f"with chance or scores, such games can be solved up to {MAX_POSITIONS:,} positions."
        )
    return _Game(table).bounds()


@dataclass(frozen=True, eq=False)
class _Game:
    table: Table

    @cached_property
    def busy(self) -> NDArray[np.intp]:
        return np.flatnonzero(np.diff(self.table.rows))

    @cached_property
    def by_chance(self) -> NDArray[np.bool_]:
        return np.equal(self.table.mover, CHANCE)

    def bounds(self) -> Bounds:
        choice = self._discounted()
        for _ in range(MAX_ROUNDS):
            low, high = -self._reply(choice, 1), self._reply(choice, 0)
            if (high - low).max() <= GAP_TOLERANCE:
                break
            # Each seat improves the value that its strategy guarantees.
            better = self._improve(self._improve(choice, low, 0), high, 1)
            if (better == choice).all():
                break
            choice = better
        return Bounds(np.minimum(low, high), np.maximum(low, high))

    def _discounted(self) -> Choice:
        """Return strategies that are optimal with the discount."""
        choice = self.table.rows[:-1].copy()
        for _ in range(MAX_ROUNDS):
            for _ in range(MAX_ROUNDS):  # the best response of seat 1 to this strategy of seat 0
                values = self._play(choice)
                reply = self._improve(choice, values, 1)
                if (reply == choice).all():
                    break
                choice = reply
            better = self._improve(choice, values, 0)
            if (better == choice).all():
                return choice
            choice = better
        return choice

    def _play(self, choice: Choice) -> Values:
        """Return the discounted values of these strategies against each other."""
        step = self._step(choice)
        ends = self.table.pays(0)
        solved: Values = spsolve(csc_array(eye_array(len(ends)) - DISCOUNT * step), ends)
        return solved

    def _step(self, choice: Choice) -> csr_array[np.float64]:
        """Return the probabilities of the next position under these strategies."""
        table = self.table
        share = table.chances.copy()
        decisions = self.busy[~self.by_chance[self.busy]]
        share[choice[decisions]] = 1.0
        size = len(table)
        return csr_array((share, table.after, table.rows), shape=(size, size))

    def _improve(self, choice: Choice, values: Values, seat: int) -> Choice:
        """Return the strategies with a best move of a seat in place of each worse one."""
        table, sign = self.table, 1 - 2 * seat
        later = sign * values[table.after]
        decisions = np.flatnonzero((table.mover == seat) & (np.diff(table.rows) > 0))
        if not len(decisions):
            return choice
        maximum = np.full(len(table), -np.inf)
        maximum[self.busy] = np.maximum.reduceat(later, table.rows[self.busy])
        worse = decisions[later[choice[decisions]] < maximum[decisions] - IMPROVEMENT_TOLERANCE]
        is_best = np.flatnonzero(later >= maximum[table.sources])
        first = np.full(len(table), -1)
        first[table.sources[is_best[::-1]]] = is_best[::-1]
        better = choice.copy()
        better[worse] = first[worse]
        return better

    def _reply(self, choice: Choice, seat: int) -> Values:
        """Return the maximum expectation of a seat against the other's strategy."""
        table = self.table
        taken = np.zeros(len(table.after), np.bool_)
        taken[choice[self.busy]] = True
        by_seat = table.mover[table.sources] == seat
        edges = np.flatnonzero(by_seat | taken | table.chance_moves)
        source = table.sources[edges]
        new_row = by_seat[edges] | np.append(True, source[1:] != source[:-1])
        row = np.cumsum(new_row) - 1
        weight = np.where(table.chance_moves[edges], table.chances[edges], 1.0)
        size = len(table)
        leads = csr_array((weight, (row, table.after[edges])), shape=(int(row[-1]) + 1, size))
        at = source[new_row].astype(np.int32)
        over = table.winner != ONGOING
        begin = np.flatnonzero(np.isin(edges, choice[self.busy]) & by_seat[edges])
        rows = np.flatnonzero(np.append(True, at[1:] != at[:-1]))
        picked = row[begin]
        rows[np.searchsorted(at[rows], at[picked])] = picked
        return Decisions(table.game.title, at, leads, table.pays(seat), over).values(rows)
