"""The solution of any game: over its positions, or over its histories if a secret lasts."""

from __future__ import annotations

from duelbook.errors import PrivateInformationError
from duelbook.position import Position
from duelbook.solver import solution
from duelbook.solver.enumeration.breadth_first import Progress
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution, find_equilibrium
from duelbook.solver.resources import PLAIN, Resources
from duelbook.solver.solution import Solution, solve_kept, solve_table
from duelbook.solver.tables.position_table import Table

AnySolution = Solution | EquilibriumSolution


def solve(
    game: type[Position],
    *,
    first: int = 0,
    max_positions: int | None = None,
    progress: Progress | None = None,
    resources: Resources = PLAIN,
) -> AnySolution:
    """Solve a game exactly; slow solutions over positions are cached on disk."""
    try:
        return solution.solve(
            game, first=first, max_positions=max_positions, progress=progress, resources=resources
        )
    except PrivateInformationError:
        return find_equilibrium(game, first=first, progress=progress)


def solve_any(table: Table, *, kept: bool = False) -> AnySolution:
    """Solve the game of a table, over its histories if a secret lasts.

    What is kept on disk is the solution of the table that enumeration makes, and no other.
    """
    try:
        return solve_kept(table) if kept else solve_table(table)
    except PrivateInformationError:
        return find_equilibrium(table.game, first=table.first)
