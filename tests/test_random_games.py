"""Random games: the solver agrees with a slow and obvious one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from duelbook.exact.cfr import approach
from duelbook.exact.enumeration import enumerate_game
from duelbook.exact.hands import solve_tree
from duelbook.exact.histories import tree_of
from duelbook.exact.intervals import can_go_on_together
from duelbook.exact.solver import solve_table
from duelbook.exact.tree_values import exploitability, worth
from duelbook.research.evaluation import evaluate
from random_games import (
    Graph,
    Hands,
    graphs,
    hands,
    value_by_brute_force,
    value_in_normal_form,
)

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


@settings(max_examples=100, deadline=None)
@given(hands())
def test_hands(game: type[Hands]) -> None:
    tree = tree_of(game)
    solution = solve_tree(tree)
    expected = value_in_normal_form(game)
    assert solution.error < 1e-8
    assert solution.game_value == pytest.approx(expected, abs=1e-8)
    approached = approach(tree, enough=1e-2)
    assert exploitability(tree, approached) <= 1e-2
    assert worth(tree, approached)[0] == pytest.approx(expected, abs=2e-2)


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_policies_of_luck_and_cycles(game: type[Graph]) -> None:
    if not game.start().moves():
        return
    table = enumerate_game(game)
    best = evaluate(table, "perfect")
    anyone = evaluate(table, "random")
    assert best.exploitability < 1e-7 or can_go_on_together(table).any()
    assert anyone.worst_case[0] <= solve_table(table).value_for(0, game.start()) + 1e-7
    assert sum(anyone.worst_case) <= 1e-7
