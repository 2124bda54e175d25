"""Tables and solutions that many tests ask for, each made once in a process."""

from __future__ import annotations

from functools import cache

from duelbook import Position
from duelbook.exact.enumeration import enumerate_game
from duelbook.exact.solver import Solution, solve_table
from duelbook.exact.tables import Table


@cache
def table_for(game: type[Position]) -> Table:
    """Return the table of a game, which nobody changes."""
    return enumerate_game(game)


@cache
def solved(game: type[Position]) -> Solution:
    """Return the solution of a game, which nobody changes."""
    return solve_table(table_for(game))
