"""The solution of a game with private information: an equilibrium over all histories."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError
from duelbook.position import CHANCE, Position
from duelbook.secrecy import SeatRecord
from duelbook.solver.imperfect.histories import Tree
from duelbook.solver.imperfect.tree_values import (
    Shares,
    best_response,
    move_values,
    normalised,
    own_reach,
)
from duelbook.solver.oracle import Oracle


def _sensible_everywhere(tree: Tree, shares: Shares) -> Shares:
    """Return the strategies with a best response where a seat arrives only by its own mistake.

    An equilibrium does not determine the strategy in these information sets.
    """
    replies = np.zeros(len(shares))
    for seat in (0, 1):
        replies += best_response(tree, shares, seat).taken
    slipped = own_reach(tree, shares) <= 0
    return normalised(tree, np.where(slipped[tree.set_of_choice], replies, shares))


@dataclass(frozen=True, eq=False)
class EquilibriumSolution(Oracle):
    """An equilibrium: the probability of each move in each information set."""

    game: type[Position]
    first: int
    tree: Tree = field(repr=False)
    shares: Shares = field(repr=False)

    @classmethod
    def of(cls, tree: Tree, shares: Shares) -> EquilibriumSolution:
        """Return the solution of a tree, given an equilibrium."""
        return cls(tree.game, tree.first, tree, _sensible_everywhere(tree, shares))

    @property
    def is_mixed(self) -> bool:
        """Return True: values are expectations."""
        return True

    @property
    def has_private_information(self) -> bool:
        """Return True: the game has private information."""
        return True

    @cached_property
    def worst_case(self) -> tuple[float, float]:
        """The value that each seat's strategy guarantees against every reply."""
        first_response, second_response = (
            best_response(self.tree, self.shares, 1 - seat).value for seat in (0, 1)
        )
        return 0.0 - first_response, 0.0 - second_response

    @property
    def game_value(self) -> float:
        """The value of the game for seat 0: the middle between the guarantees of both seats."""
        first, second = self.worst_case
        return (first - second) / 2

    @property
    def value_error(self) -> float:
        """The largest possible error of the game's value: the exploitability of the strategies."""
        return max(0.0, -sum(self.worst_case) / 2)

    @property
    def size(self) -> str:
        """The size of the game, in words."""
        return f"{len(self.tree):,} histories, {len(self.tree.choices):,} information sets"

    def score(self, position: Position) -> int:  # noqa: ARG002 # the same for every position
        """Return 0: with private information, no win counts as forced."""
        return 0

    def value(self, position: Position) -> float:
        """Return the value for the player to move, given the view; at a chance node, for seat 0."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome.payoffs[1 if position.to_move == 1 else 0]
        if position.to_move == CHANCE:
            if position == self.game.start(self.first):
                return self.game_value
            odds = position.odds()
            outcomes = ((self.value_for(0, position.apply(m)), w) for m, w in odds.items())
            return sum(value * weight for value, weight in outcomes) / sum(odds.values())
        shares, values = self.strategy(position), self.move_values(position)
        return sum(share * values[move] for move, share in shares.items())

    def strategy(self, position: Position) -> dict[str, float]:
        """Return the probability of each move, given the view of the player to move.

        Several information sets may have the same view; this is their average. See
        `strategy_from` for the strategy in one of them.
        """
        if position.to_move == CHANCE or not position.moves():
            return {}
        return self._mean(self._sets(position), self.shares)

    def strategy_from(self, record: SeatRecord) -> dict[str, float]:
        """Return the probability of each move, given the record of a seat."""
        number = self.tree.set_at(record)
        return self.strategy(record.view) if number is None else self._at(number, self.shares)

    def move_values(self, position: Position) -> dict[str, float]:
        """Return the value of each move for its player, given the view."""
        return self._mean(self._sets(position), self._values[0])

    def move_values_from(self, record: SeatRecord) -> dict[str, float]:
        """Return the value of each move, given the record of a seat."""
        number = self.tree.set_at(record)
        return (
            self.move_values(record.view) if number is None else self._at(number, self._values[0])
        )

    @cached_property
    def _values(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return move_values(self.tree, self.shares)

    def _sets(self, position: Position) -> list[int]:
        sets = self.tree.sets_by_look.get(position.view(position.to_move))
        if not sets:
            raise DuelbookError(
                f"That position of {self.game.title} cannot be reached: {position!r}."
            )
        return sets

    def _at(self, number: int, numbers: NDArray[np.float64]) -> dict[str, float]:
        begin, end = self.tree.first_choice[number : number + 2]
        return dict(zip(self.tree.choices[number], numbers[begin:end].tolist(), strict=True))

    def _mean(self, sets: list[int], numbers: NDArray[np.float64]) -> dict[str, float]:
        """Return the mean over information sets, weighted by their probabilities."""
        if len(sets) == 1:
            return self._at(sets[0], numbers)
        likely = self._values[1][sets]
        weights = likely / likely.sum() if likely.sum() > 0 else np.full(len(sets), 1 / len(sets))
        means: dict[str, float] = {}
        for number, weight in zip(sets, weights.tolist(), strict=True):
            for move, value in self._at(number, numbers).items():
                means[move] = means.get(move, 0.0) + weight * value
        return means
