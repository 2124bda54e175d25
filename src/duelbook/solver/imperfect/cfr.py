"""CFR+: approximate an equilibrium of a tree that is too large for a linear program.

This is counterfactual regret minimisation over arrays (Tammelin, 2014). Regrets never fall below 0,
the seats take turns, and later strategies weigh more in the average.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from duelbook.solver.imperfect.histories import OVER, Tree
from duelbook.solver.imperfect.tree_values import (
    Shares,
    Values,
    exploitability,
    normalised,
    own_reach,
    reach,
)

ROUNDS = 1000
CHECK_INTERVAL_ROUNDS = 50
"""The number of rounds between two computations of the exploitability."""
Progress = Callable[[int, float], object]
"""Called with the number of rounds so far, and the exploitability."""


def approach(
    tree: Tree, *, tolerance: float, rounds: int = ROUNDS, progress: Progress | None = None
) -> Shares:
    """Return strategies with at most this exploitability, or the result of the last round."""
    size = len(tree.set_of_choice)
    regrets, total = np.zeros(size), np.zeros(size)
    average = shares = normalised(tree, regrets)
    for round_ in range(1, rounds + 1):
        for seat in (0, 1):
            by_seat = tree.seats[tree.set_of_choice] == seat
            gains = _gains(tree, shares, seat)
            regrets[by_seat] = np.maximum(regrets[by_seat] + gains[by_seat], 0)
            total[by_seat] += (
                round_ * (own_reach(tree, shares)[tree.set_of_choice] * shares)[by_seat]
            )
            shares = np.where(by_seat, normalised(tree, regrets), shares)
        if round_ % CHECK_INTERVAL_ROUNDS == 0 or round_ == rounds:
            average = normalised(tree, total)
            gain = exploitability(tree, average)
            if progress:
                progress(round_, gain)
            if gain <= tolerance:
                break
    return average


def _gains(tree: Tree, shares: Shares, seat: int) -> Values:
    """Return the regret of each choice of a seat: its value above that of the seat's strategy."""
    values = reach(tree, shares, without=seat) * np.where(
        tree.mover == OVER, (1 - 2 * seat) * tree.paid, 0.0
    )
    size = len(shares)
    by_choice = np.zeros(size)
    for begin, end in reversed(tree.spans):
        above, later = tree.parent[begin:end], values[begin:end]
        by_seat, chosen = tree.mover[above] == seat, tree.choice[begin:end]
        if by_seat.any():
            first, last = int(chosen[by_seat].min()), int(chosen[by_seat].max()) + 1
            by_choice[first:last] += np.bincount(
                chosen[by_seat] - first, later[by_seat], minlength=last - first
            )
            later = np.where(by_seat, later * shares[chosen], later)
        first, last = int(above[0]), int(above[-1]) + 1
        values[first:last] += np.bincount(above - first, later, minlength=last - first)
    expected = np.bincount(tree.set_of_choice, by_choice * shares, len(tree.choices))
    gains: Values = by_choice - expected[tree.set_of_choice]
    return gains
