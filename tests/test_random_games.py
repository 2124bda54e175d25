"""Random games: the solver agrees with a slow and obvious one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from duelbook.exact.enumeration import enumerate_game
from duelbook.exact.solver import solve_table
from random_games import Graph, graphs, value_by_brute_force

pytestmark = pytest.mark.slow


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_luck_scores_and_cycles(game: type[Graph]) -> None:
    start = game.start()
    if not start.moves():
        return
    solution = solve_table(enumerate_game(game))
    assert solution.error < 1e-9
    assert solution.value_for(0, start) == pytest.approx(value_by_brute_force(game), abs=1e-8)
