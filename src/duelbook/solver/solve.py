"""Solve any game: only this module chooses the solver of a game."""

from __future__ import annotations

from duelbook.errors import PrivateInformationError
from duelbook.position import Position
from duelbook.solver.enumeration.breadth_first import Progress
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution, find_equilibrium
from duelbook.solver.resources import PLAIN, Resources
from duelbook.solver.solution import (
    Solution,
    position_solution,
    read_solution,
    solve_positions,
    write_solution,
)
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
    """Solve a game exactly; the cache stores slow solutions over positions."""
    try:
        return position_solution(
            game, first=first, max_positions=max_positions, progress=progress, resources=resources
        )
    except PrivateInformationError:
        return find_equilibrium(game, first=first, progress=progress)


def solve_table(table: Table, *, stored: bool = False, resources: Resources = PLAIN) -> AnySolution:
    """Solve the game of a table.

    With `stored`, read the solution from the cache or store it there. Use it only with the table
    that enumeration returns.
    """
    solution = read_solution(table.game, table.first) if stored else None
    if solution is not None:
        return solution
    try:
        solution = solve_positions(table, resources)
    except PrivateInformationError:
        return find_equilibrium(table.game, first=table.first)
    if stored:
        write_solution(solution)
    return solution
