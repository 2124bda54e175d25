"""Solve any game: only this module chooses the solver of a game.

A game is solved as a table of positions, or as a tree of histories if it has private information.
`Solution` and `EquilibriumSolution` are the results, and `Oracle` is their interface. To add a
solver, choose it in `solve_positions`, `expected_values` or `solve_tree`.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError, PrivateInformationError
from duelbook.position import Position
from duelbook.solver import cache
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.enumeration.interface import Progress
from duelbook.solver.imperfect.cfr import approach
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution
from duelbook.solver.imperfect.histories import Tree, tree_of
from duelbook.solver.oracle import VALUE_TOLERANCE, Oracle
from duelbook.solver.resources import PLAIN, Resources
from duelbook.solver.search import SMALL_GAME_POSITIONS, Search, can_be_searched
from duelbook.solver.solution import Solution
from duelbook.solver.stored_tables import read_positions, stored_table
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.backward_induction import BackupRunner
from duelbook.solver.values.endless_play import can_be_endless
from duelbook.solver.values.hidden_choices import HiddenChoices, mixed_values
from duelbook.solver.values.scoring import score_table

AnySolution = Solution | EquilibriumSolution
ARRAYS = ("scores", "mixed", "infosets")
ROUNDING_ERROR = 1e-12
"""The maximum rounding error of a value."""
MAX_EXACT_CHOICES = 150_000
"""The maximum number of choices for the linear program; CFR+ approximates larger games."""
EXPLOITABILITY_TOLERANCE = 1e-3
"""The exploitability at which CFR+ stops, relative to the largest payoff."""
MAX_POSITIONS = 5_000_000
"""The limit for games with chance, scores or hidden information, which need a full solution."""


def solve(
    game: type[Position],
    *,
    first: int = 0,
    max_positions: int | None = None,
    progress: Progress | None = None,
    resources: Resources = PLAIN,
) -> AnySolution:
    """Solve a game exactly; the cache stores slow solutions over positions."""
    solution: AnySolution | None = read_solution(game, first)
    if solution is None:
        with resources.connected():
            table = stored_table(
                game,
                first=first,
                max_positions=max_positions,
                progress=progress,
                resources=resources,
            )
            solution = _solve(decisions_of(table, progress), resources)
        write_solution(solution)
    return solution


def solve_table(table: Table, *, stored: bool = False, resources: Resources = PLAIN) -> AnySolution:
    """Solve the game of a table.

    With `stored`, read the solution from the cache or store it there. Use it only with the table
    that enumeration returns.
    """
    solution: AnySolution | None = read_solution(table.game, table.first) if stored else None
    if solution is None:
        solution = _solve(decisions_of(table), resources)
        if stored:
            write_solution(solution)
    return solution


def solve_for_play(game: type[Position]) -> Oracle:
    """Return the solution of a game, or a search if the game is too large to solve in time."""
    if not can_be_searched(game):
        return solve(game, max_positions=game.max_positions or MAX_POSITIONS)
    stored = read_solution(game)
    if stored is None and game.vectors:
        return solve(game)
    if stored is None:
        with suppress(DuelbookError):
            return solve_table(enumerate_game(game, max_positions=SMALL_GAME_POSITIONS))
    return stored or Search(game)


# The choice of the solver ----------------------------------------------------------------------


def decisions_of(table: Table, progress: Progress | None = None) -> Table | Tree:
    """Return the table of a game, or its tree of histories if it has private information."""
    try:
        _ = table.secret_sets
    except PrivateInformationError:
        return tree_of(table.game, first=table.first, progress=progress)
    return table


def _solve(decisions: Table | Tree, resources: Resources) -> AnySolution:
    if isinstance(decisions, Tree):
        return solve_tree(decisions)
    return solve_positions(decisions, resources)


def solve_positions(table: Table, resources: Resources = PLAIN) -> Solution:
    """Solve every position of a table; refuse private information of more than one move."""
    hidden = HiddenChoices.of(table)
    values, error = None, 0.0
    with resources.backups() as run:
        scores = score_table(table, run, hidden)
        if table.has_chance or table.paid is not None:
            values, error = expected_values(table, run)
    if values is None and hidden and hidden.undecided(table, scores):
        values = mixed_values(table, hidden, scores)
    return _solution(
        table.game,
        table.first,
        positions=table.positions,
        scores=scores,
        mixed=values,
        infosets=table.infosets if hidden else None,
        value_error=error,
    )


def expected_values(table: Table, run: BackupRunner) -> tuple[NDArray[np.float64], float]:
    """Return the expected values for the player to move, and their largest possible error."""
    from duelbook.solver.values import (
        interval_iteration,
        strategy_iteration,  # SciPy is slow to import
    )

    if can_be_endless(table).any() and not table.secret_sets:
        bounds = strategy_iteration.bounds(table)
    else:
        bounds = interval_iteration.bounds(table, run)
    if bounds.gap > VALUE_TOLERANCE * max(1.0, float(np.abs(table.pays(0)).max())):
        raise DuelbookError(
            f"The values of {table.game.title} are only known to {bounds.gap:.1g}: play may be "
            "endless, and chance, scores or hidden choices decide when it ends."
        )
    error = max(bounds.gap / 2, ROUNDING_ERROR)
    return np.where(table.mover == 1, -bounds.middle, bounds.middle), error


def solve_tree(tree: Tree) -> EquilibriumSolution:
    """Find an equilibrium of a tree: an exact one, or an approximate one of a very large tree."""
    if len(tree.set_of_choice) <= MAX_EXACT_CHOICES:
        from duelbook.solver.imperfect.sequence_form import equilibrium  # SciPy is slow to import

        shares = equilibrium(tree)
    else:
        shares = approach(tree, tolerance=EXPLOITABILITY_TOLERANCE * tree.game.largest_payoff)
    return EquilibriumSolution.of(tree, shares)


# The cache -------------------------------------------------------------------------------------


def read_solution(game: type[Position], first: int = 0) -> Solution | None:
    """Return a solution from the cache, or None if the solution or its positions are missing."""
    stored = cache.read(game, _name(first), __name__)
    positions = read_positions(game, first) if stored else None
    if stored is None or positions is None:
        return None
    try:
        arrays = stored.arrays()
    except cache.DamagedError:
        return None
    return _solution(game, first, positions=positions, value_error=stored.data["error"], **arrays)


def write_solution(solution: AnySolution) -> None:
    """Store a solution over positions in the cache, if it has enough of them."""
    if not isinstance(solution, Solution):
        return
    if len(solution.positions) < cache.MIN_STORED_POSITIONS:
        return
    by_name = {name: getattr(solution, name) for name in ARRAYS}
    arrays = {name: array for name, array in by_name.items() if array is not None}
    data = {"error": solution.value_error}
    cache.write(solution.game, _name(solution.first), __name__, arrays, data)


def _name(first: int) -> str:
    return f"solution{first + 1}"


def _solution(game: type[Position], first: int, **fields: Any) -> Solution:  # noqa: ANN401 # as `Solution` takes them
    """Return a solution that can find the positions of the game that the other seat starts."""
    return Solution(game, first, solve_other_start=partial(_solve_start, game, 1 - first), **fields)


def _solve_start(game: type[Position], first: int) -> Solution:
    solution = solve(game, first=first)
    assert isinstance(solution, Solution)  # noqa: S101 # both starts hide the same information
    return solution
