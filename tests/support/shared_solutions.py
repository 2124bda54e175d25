"""Tables and solutions for many tests.

A process computes each of them once. All processes share the tables of large games.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from unittest.mock import patch

from conftest import SHARED

from duelbook import Position
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.solution import Solution
from duelbook.solver.solve import solve, solve_positions
from duelbook.solver.stored_tables import stored_table
from duelbook.solver.tables.position_table import Table

_tables: dict[type[Position], Table] = {}
_solutions: dict[type[Position], Solution] = {}


def shared_table(game: type[Position]) -> Table:
    """Return the shared table of a game; tests must not change it."""
    if game not in _tables:
        _tables[game] = _shared(game) if game.vectors else enumerate_game(game)
    return _tables[game]


def solve_by_positions(game: type[Position], first: int = 0) -> Solution:
    """Solve a game without private information of more than one move."""
    solution = solve(game, first=first)
    assert isinstance(solution, Solution)
    return solution


def shared_solution(game: type[Position]) -> Solution:
    """Return the shared solution of a game; tests must not change it."""
    if game not in _solutions:
        _solutions[game] = solve_positions(shared_table(game))
    return _solutions[game]


def _shared(game: type[Position]) -> Table:
    """Return the table of a large game; the first process computes and stores it for all."""
    folder = Path(os.environ[SHARED])
    with (folder / "lock").open("w") as lock, patch.dict(os.environ, DUELBOOK_HOME=str(folder)):
        fcntl.flock(lock, fcntl.LOCK_EX)
        return stored_table(game)
