"""The interface of an evaluation of a policy: its figures."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Pair = tuple[float, float]


class PolicyEvaluation(ABC):
    """The evaluation of a policy; its figures are mean payoffs, computed on demand.

    A pair holds a figure for the policy in seat 0, and one for the policy in seat 1.
    """

    shares: Numbers
    """The policy as probabilities."""

    @property
    @abstractmethod
    def worst_case(self) -> Pair:
        """The value of the policy against a best response."""

    @property
    def exploitability(self) -> float:
        """The average gain of a best response over both seats: 0 for perfect play."""
        return max(0.0, -sum(self.worst_case) / 2)

    @property
    @abstractmethod
    def values(self) -> Pair:
        """The value of the policy against the other policy."""

    @property
    @abstractmethod
    def move_regrets(self) -> Numbers:
        """The regret of each move, under best play on both sides."""

    @property
    @abstractmethod
    def regrets(self) -> Numbers:
        """The expected regret of the policy in each position or information set."""

    @property
    @abstractmethod
    def mean_regret(self) -> Pair:
        """The mean regret per move in play against the other policy."""

    def __str__(self) -> str:
        rows = [
            ("against a best response", self.worst_case),
            ("against the other policy", self.values),
            ("regret per move", self.mean_regret),
        ]
        lines = [f"{'':<26}{'seat 0':>9}{'seat 1':>9}"]
        lines += [f"{name:<26}{first:>9.4f}{second:>9.4f}" for name, (first, second) in rows]
        return "\n".join([*lines, f"exploitability: {self.exploitability:.4f}"])
