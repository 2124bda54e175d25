"""Exact evaluation of any policy: its value against a best response, exploitability and regret."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duelbook.position import Position
from duelbook.research.best_response import best_response
from duelbook.research.evaluation_results import Numbers, PolicyEvaluation
from duelbook.research.expectation import Expectation, expectation, visits
from duelbook.research.imperfect_evaluation import ImperfectEvaluation
from duelbook.research.policies import ROUNDING, Policy, Shares, shares
from duelbook.solver.imperfect.histories import Tree
from duelbook.solver.solution import Solution
from duelbook.solver.solve import decisions_of, solve_positions
from duelbook.solver.stored_tables import table_of
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.matrix_games import mixture


@dataclass(frozen=True, eq=False)
class TableEvaluation(PolicyEvaluation):
    """An evaluation over a table; a policy is a probability for each move."""

    table: Table
    shares: Shares
    against: Shares

    @cached_property
    def worst_case(self) -> tuple[float, float]:
        """The value of the policy against a best response."""
        replies = (float(best_response(self.table, self.shares, 1 - seat)[0]) for seat in (0, 1))
        most = max(1.0, float(np.abs(self.table.pays(0)).max()))
        first, second = (0.0 - float(np.clip(reply, -most, most)) for reply in replies)
        return first, second

    @cached_property
    def played(self) -> tuple[Expectation, Expectation]:
        """The probabilities of play against the other policy."""
        first = expectation(self.table, self._joint_policy(0))
        alone = self.against is self.shares
        return first, first if alone else expectation(self.table, self._joint_policy(1))

    @property
    def values(self) -> tuple[float, float]:
        """The value of the policy against the other policy."""
        first, second = (float(expectation.values[0]) for expectation in self.played)
        return first, 0.0 - second

    @cached_property
    def move_regrets(self) -> Numbers:
        """The regret of each move of the table, under best play on both sides."""
        return _move_regrets(self.table, solve_positions(self.table))

    @cached_property
    def regrets(self) -> Numbers:
        """The expected regret of the policy in each position."""
        regrets = np.bincount(self.table.sources, self.move_regrets * self.shares, len(self.table))
        return regrets.astype(np.float64)

    @property
    def mean_regret(self) -> tuple[float, float]:
        """The mean regret per move in play against the other policy.

        It is NaN if play may be endless and the policy has regret in some position.
        """
        first, second = (self._mean_regret(seat) for seat in (0, 1))
        return first, second

    def _mean_regret(self, seat: int) -> float:
        met = visits(self.table, self._joint_policy(seat))
        met[(self.table.mover != seat) | (self.table.winner != ONGOING)] = 0
        if self.played[seat].endless[0] > 0:
            return 0.0 if self.regrets.max() < ROUNDING else float("nan")
        return float(met @ self.regrets / met.sum()) if met.any() else 0.0

    def _joint_policy(self, seat: int) -> Shares:
        """Return the joint policy: this one in the given seat, the other one in the other seat."""
        if self.against is self.shares:
            return self.shares
        by_seat = self.table.mover[self.table.sources] == seat
        return np.where(by_seat, self.shares, self.against)

    def __repr__(self) -> str:
        return f"<Evaluation of a policy for {self.table.game.title}>"


def evaluate(
    game: Table | type[Position] | str,
    policy: Policy,
    *,
    against: Policy | None = None,
    first: int | None = None,
) -> PolicyEvaluation:
    """Return the exact evaluation of a policy against another one, by default itself."""
    table = table_of(game, first)
    decisions = decisions_of(table)
    if isinstance(decisions, Tree):
        return ImperfectEvaluation.of(decisions, policy, against)
    ours = shares(table, policy)
    return TableEvaluation(table, ours, ours if against is None else shares(table, against))


def table_move_values(table: Table, solution: Solution) -> Numbers:
    """Return the value of each move of a table for its player, under best play on both sides."""
    values: Numbers = table.to_movers(solution.values)
    for members in table.secret_sets:
        _against_best_play(table, members, values)
    return values


def mixtures(table: Table, solution: Solution, members: NDArray[np.intp]) -> tuple[Shares, Shares]:
    """Return the best probabilities of the positions of a hidden choice, and of the answers."""
    payoffs = table.to_movers(solution.values)[_answers(table, members)]
    _, rows, columns = mixture(-payoffs)
    return rows, columns


def _move_regrets(table: Table, solution: Solution) -> Numbers:
    values = table_move_values(table, solution)
    regrets = np.clip(solution.values[table.sources] - values, 0, None)
    regrets[table.chance_moves] = 0.0  # chance has no regret
    return regrets


def _answers(table: Table, members: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the moves of the positions in an information set, one row per position."""
    begins, ends = table.rows[members], table.rows[members + 1]
    answers: NDArray[np.intp] = begins[:, None] + np.arange(ends[0] - begins[0])
    return answers


def _against_best_play(table: Table, members: NDArray[np.intp], values: Numbers) -> None:
    """Set the values of a hidden choice and its answers against the optimal mixed strategies."""
    answers = _answers(table, members)
    payoffs = values[answers]
    _, rows, columns = mixture(-payoffs)
    values[answers] = rows @ payoffs
    choices = np.flatnonzero(np.isin(table.after, members))
    chosen = {
        int(member): float(row @ columns) for member, row in zip(members, payoffs, strict=True)
    }
    values[choices] = [-chosen[int(after)] for after in table.after[choices]]
