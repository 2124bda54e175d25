"""The solution of any game: over its positions, or over its histories if a secret lasts."""

from __future__ import annotations

from duelbook.errors import LastingSecret
from duelbook.exact import solver
from duelbook.exact.breadth_first import Progress
from duelbook.exact.hands import HandSolution, solve_hands
from duelbook.exact.means import PLAIN, Means
from duelbook.exact.solver import Solution, solve_kept, solve_table
from duelbook.exact.tables import Table
from duelbook.position import Position

AnySolution = Solution | HandSolution


def solve(
    game: type[Position],
    *,
    first: int = 0,
    most: int | None = None,
    progress: Progress | None = None,
    means: Means = PLAIN,
) -> AnySolution:
    """Solve a game exactly; slow solutions over positions are cached on disk."""
    try:
        return solver.solve(game, first=first, most=most, progress=progress, means=means)
    except LastingSecret:
        return solve_hands(game, first=first, progress=progress)


def solve_any(table: Table, *, kept: bool = False) -> AnySolution:
    """Solve the game of a table, over its histories if a secret lasts.

    What is kept on disk is the solution of the table that enumeration makes, and no other.
    """
    try:
        return solve_kept(table) if kept else solve_table(table)
    except LastingSecret:
        return solve_hands(table.game, first=table.first)
