"""Exact evaluation of a policy for a game with private information, over all histories."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from duelbook import players
from duelbook.errors import DuelbookError
from duelbook.players.levels import LEVELS, slips
from duelbook.research.evaluation_results import Numbers, Pair, PolicyEvaluation
from duelbook.research.policies import ROUNDING, Policy, chooser_of, move_probabilities
from duelbook.solver.imperfect.histories import Tree
from duelbook.solver.imperfect.tree_values import (
    Shares,
    best_response,
    history_values,
    move_values,
    reach,
    uniform,
)
from duelbook.solver.solve import solve_tree


@dataclass(frozen=True, eq=False)
class ImperfectEvaluation(PolicyEvaluation):
    """An evaluation over a tree; a policy is a probability for each choice.

    A choice is a move in an information set.
    """

    tree: Tree
    shares: Shares
    against: Shares

    @classmethod
    def of(cls, tree: Tree, policy: Policy, against: Policy | None) -> ImperfectEvaluation:
        """Return the evaluation of a policy against another one, by default itself."""
        shares = tree_shares(tree, policy)
        return cls(tree, shares, shares if against is None else tree_shares(tree, against))

    @cached_property
    def worst_case(self) -> Pair:
        """The value of the policy against a best response."""
        first_response, second_response = (
            best_response(self.tree, self.shares, 1 - seat).value for seat in (0, 1)
        )
        return 0.0 - first_response, 0.0 - second_response

    @cached_property
    def values(self) -> Pair:
        """The value of the policy against the other policy."""
        first, second = (
            float(history_values(self.tree, self._joint_policy(seat))[0]) for seat in (0, 1)
        )
        return first, 0.0 - second

    @cached_property
    def move_regrets(self) -> Numbers:
        """The regret of each choice, under best play on both sides."""
        best = solve_tree(self.tree).shares
        values, _ = move_values(self.tree, best)
        value = np.bincount(self.tree.set_of_choice, values * best, len(self.tree.choices))
        return np.clip(value[self.tree.set_of_choice] - values, 0, None)

    @cached_property
    def regrets(self) -> Numbers:
        """The expected regret of the policy in each information set."""
        chosen = self.move_regrets * self.shares
        regrets = np.bincount(self.tree.set_of_choice, chosen, len(self.tree.choices))
        return regrets.astype(np.float64)

    @cached_property
    def mean_regret(self) -> Pair:
        """The mean regret per move in play against the other policy."""
        means = []
        for seat in (0, 1):
            at = np.flatnonzero(self.tree.mover == seat)
            met = reach(self.tree, self._joint_policy(seat))[at]
            total = float(met.sum())
            means.append(float(met @ self.regrets[self.tree.infoset[at]]) / total if total else 0.0)
        return means[0], means[1]

    def _joint_policy(self, seat: int) -> Shares:
        """Return the joint policy: this one in the given seat, the other one in the other seat."""
        by_seat = self.tree.seats[self.tree.set_of_choice] == seat
        return np.where(by_seat, self.shares, self.against)

    def __repr__(self) -> str:
        return f"<Evaluation of a policy for {self.tree.game.title}>"


def tree_shares(tree: Tree, policy: Policy) -> Shares:
    """Return a policy as a probability for each choice of a tree, or refuse it.

    Call a function once for each information set, with the view of the player to move.
    """
    if isinstance(policy, str):
        return _from_name(tree, policy)
    if callable(policy):
        answers = zip(tree.looks, tree.choices, strict=True)
        probabilities = np.concatenate(
            [move_probabilities(policy(view), moves) for view, moves in answers]
        )
    else:
        probabilities = np.asarray(policy, np.float64)
    if probabilities.shape != (len(tree.set_of_choice),):
        raise DuelbookError(
            f"A policy for {tree.game.title} must be an array of shape "
            f"({len(tree.set_of_choice)},), a number for each move of each information set, "
            f"not {probabilities.shape}."
        )
    totals = np.bincount(tree.set_of_choice, probabilities, len(tree.choices))
    if not (probabilities >= 0).all() or (np.abs(totals - 1) > ROUNDING).any():
        raise DuelbookError(
            "The probabilities in each information set must not be negative, and must add up to 1."
        )
    return probabilities / totals[tree.set_of_choice]


def _from_name(tree: Tree, name: str) -> Shares:
    kind, _, argument = name.strip().lower().partition(":")
    if kind == "random" and not argument:
        return uniform(tree)
    if kind not in LEVELS:
        return tree_shares(tree, chooser_of(players.make(name)))
    slip, best = slips(kind, argument), solve_tree(tree).shares
    return slip * uniform(tree) + (1 - slip) * best
