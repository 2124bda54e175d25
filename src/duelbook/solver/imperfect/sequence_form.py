"""The sequence form: an equilibrium of a game with private information, by linear programming.

The variables of a seat are the probabilities of each sequence of its own choices. The number of a
sequence is that of its last choice; the empty sequence comes last.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from duelbook.errors import DuelbookError
from duelbook.solver.imperfect.histories import OVER, Tree
from duelbook.solver.imperfect.tree_values import Shares, normalised, reach, uniform

FEASIBILITY_TOLERANCE = 1e-10


def equilibrium(tree: Tree) -> Shares:
    """Return strategies of both seats against which no other strategy gains."""
    plans = np.zeros(len(tree.set_of_choice))
    for seat in (0, 1):
        by_seat = tree.seats[tree.set_of_choice] == seat
        plans[by_seat] = _plan(tree, seat)[by_seat]
    return normalised(tree, np.where(plans < FEASIBILITY_TOLERANCE, 0.0, plans))


def _plan(tree: Tree, seat: int) -> NDArray[np.float64]:
    """Return the probabilities of a seat's sequences that guarantee the maximum value."""
    size, sets = len(tree.set_of_choice), len(tree.choices)
    pays = _payoffs(tree, seat)  # rows: own sequences; columns: the other seat's
    opponent_flows = _flow_constraints(tree, 1 - seat)
    own_flows = _flow_constraints(tree, seat)
    # In each set of the other seat, our value is at most the value after any of its choices.
    # Any, because linprog's type stubs do not support sparse arrays.
    limits: Any = hstack([-pays.T, opponent_flows.T]).tocsr()
    flows: Any = hstack([own_flows, csr_array((sets + 1, sets + 1))]).tocsr()
    objective = np.zeros(size + 1 + sets + 1)
    objective[-1] = -1.0
    begins = np.zeros(sets + 1)
    begins[-1] = 1.0
    relevant = np.append(tree.seats[tree.set_of_choice] == 1 - seat, True)
    own_sets = np.append(tree.seats == seat, True)
    solved = linprog(
        objective,
        A_ub=limits[relevant],
        b_ub=np.zeros(int(relevant.sum())),
        A_eq=flows[own_sets],
        b_eq=begins[own_sets],
        bounds=[(0, None)] * (size + 1) + [(None, None)] * (sets + 1),
        options={
            "primal_feasibility_tolerance": FEASIBILITY_TOLERANCE,
            "dual_feasibility_tolerance": FEASIBILITY_TOLERANCE,
        },
    )
    if not solved.success:
        raise DuelbookError(f"{tree.game.title} could not be solved: {solved.message}")
    return np.asarray(solved.x, np.float64)[:size]


def _payoffs(tree: Tree, seat: int) -> csr_array[np.float64]:
    """Return the payoff to a seat for each pair of sequences, weighted by chance."""
    over = np.flatnonzero(tree.mover == OVER)
    chance = reach(tree, np.ones_like(uniform(tree)))[over]
    size = len(tree.set_of_choice)
    last = [np.where(choices[over] < 0, size, choices[over]) for choices in tree.last_choices]
    paid = (1 - 2 * seat) * tree.paid[over] * chance
    return csr_array((paid, (last[seat], last[1 - seat])), shape=(size + 1, size + 1))


def _flow_constraints(tree: Tree, seat: int) -> csr_array[np.float64]:
    """Return a row for each set of a seat: 1 for its choices, -1 for the sequence before it."""
    size, sets = len(tree.set_of_choice), len(tree.choices)
    own_sets = tree.seats == seat
    chosen = np.flatnonzero(own_sets[tree.set_of_choice])
    before = tree.choice_before[own_sets]
    rows = np.concatenate([tree.set_of_choice[chosen], np.flatnonzero(own_sets), [sets]])
    columns = np.concatenate([chosen, np.where(before < 0, size, before), [size]])
    entries = np.concatenate([np.ones(len(chosen)), -np.ones(len(before)), [1.0]])
    return csr_array((entries, (rows, columns)), shape=(sets + 1, size + 1))
