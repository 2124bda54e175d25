"""Tables and solutions that many tests ask for: each made once in a process, large ones once."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from unittest.mock import patch

from conftest import SHARED

from duelbook import Position
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.solution import Solution, solve_positions
from duelbook.solver.solve import solve
from duelbook.solver.stored_tables import stored_table
from duelbook.solver.tables.position_table import Table

_tables: dict[type[Position], Table] = {}
_solutions: dict[type[Position], Solution] = {}


def table_for(game: type[Position]) -> Table:
    """Return the table of a game, which nobody changes."""
    if game not in _tables:
        _tables[game] = _shared(game) if game.vectors else enumerate_game(game)
    return _tables[game]


def solve_by_positions(game: type[Position], first: int = 0) -> Solution:
    """Solve a game without private information of more than one move."""
    solution = solve(game, first=first)
    assert isinstance(solution, Solution)
    return solution


def solved(game: type[Position]) -> Solution:
    """Return the solution of a game, which nobody changes."""
    if game not in _solutions:
        _solutions[game] = solve_positions(table_for(game))
    return _solutions[game]


def _shared(game: type[Position]) -> Table:
    """Return the table of a large game, which the first process that asks for it keeps."""
    folder = Path(os.environ[SHARED])
    with (folder / "lock").open("w") as lock, patch.dict(os.environ, DUELBOOK_HOME=str(folder)):
        fcntl.flock(lock, fcntl.LOCK_EX)
        return stored_table(game)
