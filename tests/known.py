"""Tables and solutions that many tests ask for, each made once in a process."""

from __future__ import annotations

from duelbook import Position
from duelbook.exact.enumeration import enumerate_game
from duelbook.exact.solver import Solution, solve_table
from duelbook.exact.tables import Table

_tables: dict[type[Position], Table] = {}
_solutions: dict[type[Position], Solution] = {}


def table_for(game: type[Position]) -> Table:
    """Return the table of a game, which nobody changes."""
    if game not in _tables:
        _tables[game] = enumerate_game(game)
    return _tables[game]


def solved(game: type[Position]) -> Solution:
    """Return the solution of a game, which nobody changes."""
    if game not in _solutions:
        _solutions[game] = solve_table(table_for(game))
    return _solutions[game]
