"""Play over a tree: the values of strategies, and the best responses to them.

A strategy is a probability for each choice of the tree. In an information set, they add up to 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duelbook.solver.imperfect.histories import OVER, Tree

Shares = NDArray[np.float64]
Values = NDArray[np.float64]


class BestResponse(NamedTuple):
    """A seat's best response, and its value for the seat."""

    value: float
    by_choice: Values
    """The value of each choice, weighted with the probability that the other and chance allow
    it."""
    taken: NDArray[np.bool_]
    """Whether the reply takes each choice."""


def uniform(tree: Tree) -> Shares:
    """Return the strategy that makes every move equally likely."""
    counts = np.diff(tree.first_choice)
    return np.repeat(1 / np.maximum(counts, 1), counts)


def normalised(tree: Tree, weights: Shares, otherwise: Shares | None = None) -> Shares:
    """Return weights as probabilities; where all are 0, use another strategy."""
    totals = np.bincount(tree.set_of_choice, weights, len(tree.choices))[tree.set_of_choice]
    fallback = uniform(tree) if otherwise is None else otherwise
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), fallback)


def reach(tree: Tree, shares: Shares, *, without: int | None = None) -> Values:
    """Return the probability of each history; `without` leaves out the choices of one seat."""
    factor = tree.chance.copy()
    chosen = tree.choice >= 0
    if without is not None:
        chosen[1:] &= tree.mover[tree.parent[1:]] != without
    factor[chosen] *= shares[tree.choice[chosen]]
    probability = np.ones(len(tree))
    for begin, end in tree.spans:
        probability[begin:end] = probability[tree.parent[begin:end]] * factor[begin:end]
    return probability


def own_reach(tree: Tree, shares: Shares) -> Values:
    """Return for each information set the probability that its own seat plays to it."""
    played = np.ones(len(shares) + 1)  # the last entry: no choice before
    for begin, end in tree.set_spans:
        choices = slice(tree.first_choice[begin], tree.first_choice[end])
        before = played[tree.choice_before[begin:end]]
        played[choices] = before[tree.set_of_choice[choices] - begin] * shares[choices]
    return played[tree.choice_before]


def others_reach(tree: Tree, shares: Shares) -> Values:
    """Return for each information set the probability that the other seat and chance allow it."""
    probability = np.zeros(len(tree.choices))
    for seat in (0, 1):
        decides = (tree.mover == seat) & (tree.infoset >= 0)
        likely = reach(tree, shares, without=seat)[decides]
        probability += np.bincount(tree.infoset[decides], likely, len(tree.choices))
    return probability


def history_values(tree: Tree, shares: Shares) -> Values:
    """Return the value of each history for seat 0 under these strategies."""
    values = tree.paid.copy()
    factor = tree.chance.copy()
    chosen = tree.choice >= 0
    factor[chosen] *= shares[tree.choice[chosen]]
    for begin, end in reversed(tree.spans):
        above = tree.parent[begin:end]
        first, last = int(above[0]), int(above[-1]) + 1  # parents are in order
        values[first:last] += np.bincount(above - first, values[begin:end] * factor[begin:end])
    return values


def best_response(tree: Tree, shares: Shares, seat: int) -> BestResponse:
    """Return a seat's best response to the other's strategy."""
    values = reach(tree, shares, without=seat) * np.where(
        tree.mover == OVER, (1 - 2 * seat) * tree.paid, 0.0
    )
    by_choice = np.zeros(len(tree.set_of_choice))
    taken = np.zeros(len(tree.set_of_choice), np.bool_)
    for begin, end in reversed(tree.spans):
        above, later = tree.parent[begin:end], values[begin:end]
        by_seat = tree.mover[above] == seat
        if by_seat.any():
            chosen = tree.choice[begin:end]
            first, last = int(chosen[by_seat].min()), int(chosen[by_seat].max()) + 1
            by_choice[first:last] += np.bincount(
                chosen[by_seat] - first, later[by_seat], minlength=last - first
            )
            _take_best(tree, by_choice, taken, tree.infoset[above[by_seat]])
            by_seat &= ~taken[chosen]
        first, last = int(above[0]), int(above[-1]) + 1  # the parents are in order
        counted = np.where(by_seat, 0.0, later)
        values[first:last] += np.bincount(above - first, counted, minlength=last - first)
    return BestResponse(float(values[0]), by_choice, taken)


def _take_best(
    tree: Tree, by_choice: Values, taken: NDArray[np.bool_], sets: NDArray[np.int32]
) -> None:
    """Mark the first best choice of each of these information sets, all of one length."""
    first, last = int(sets.min()), int(sets.max()) + 1  # numbered in order of length
    begin, end = tree.first_choice[first], tree.first_choice[last]
    starts = tree.first_choice[first:last] - begin
    maximum = np.maximum.reduceat(by_choice[begin:end], starts)
    is_best = by_choice[begin:end] == maximum[tree.set_of_choice[begin:end] - first]
    index = np.where(is_best, np.arange(end - begin), end - begin)
    picked = np.minimum.reduceat(index, starts)[np.unique(sets) - first]
    taken[begin + picked] = True


def exploitability(tree: Tree, shares: Shares) -> float:
    """Return the average gain of a best response over both seats: 0 in an equilibrium."""
    return sum(best_response(tree, shares, seat).value for seat in (0, 1)) / 2


def move_values(tree: Tree, shares: Shares) -> tuple[Values, NDArray[np.float64]]:
    """Return the value of each choice for its player, and each information set's probability.

    The value of a choice is a mean over the histories of its information set, if both seats play
    these strategies afterwards. A history weighs as much as the other seat and chance allow it. If
    they allow none of these histories, all weigh the same.
    """
    values = history_values(tree, shares)
    of_moves, likely = np.zeros(len(tree.set_of_choice)), np.zeros(len(tree.choices))
    for seat in (0, 1):
        children = np.flatnonzero(tree.choice >= 0)
        children = children[tree.mover[tree.parent[children]] == seat]
        if not len(children):
            continue
        weight = reach(tree, shares, without=seat)[tree.parent[children]]
        sets = tree.infoset[tree.parent[children]]
        total = np.bincount(sets, weight, len(tree.choices))
        weight = np.where(total[sets] > 0, weight, 1.0)
        chosen = tree.choice[children]
        size = len(of_moves)
        over = np.bincount(chosen, weight, size)
        paid = np.bincount(chosen, (1 - 2 * seat) * values[children] * weight, size)
        of_moves += np.divide(paid, over, out=np.zeros(size), where=over > 0)
    at = tree.infoset >= 0
    likely += np.bincount(tree.infoset[at], reach(tree, shares)[at], len(tree.choices))
    return of_moves, likely
