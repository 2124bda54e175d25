"""Random games: the solver agrees with a simple reference."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings

import duelbook
from duelbook import Position
from duelbook.analysis.verdict import full_verdict
from duelbook.conformance import check
from duelbook.errors import TooLarge
from duelbook.research.evaluation import evaluate
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.imperfect.cfr import approach
from duelbook.solver.imperfect.histories import tree_of
from duelbook.solver.imperfect.tree_values import exploitability, history_values
from duelbook.solver.solve import solve_positions, solve_tree
from duelbook.solver.values.endless_play import can_be_endless
from random_games import (
    Graph,
    PrivateCards,
    graphs,
    private_card_games,
    value_by_brute_force,
    value_in_normal_form,
)
from short_games import EXAMPLES
from strategies import fewer_examples

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("no_loaded_games")]


@given(graphs())
def test_solution_of_games_with_chance_scores_and_cycles(game: type[Graph]) -> None:
    start = game.start()
    if not start.moves():
        return
    solution = solve_positions(enumerate_game(game))
    assert solution.value_error < 1e-9
    assert solution.value_for(0, start) == pytest.approx(value_by_brute_force(game), abs=1e-8)


@given(private_card_games())
def test_solution_of_games_with_private_cards(game: type[PrivateCards]) -> None:
    tree = tree_of(game)
    solution = solve_tree(tree)
    expected = value_in_normal_form(game)
    assert solution.value_error < 1e-8
    assert solution.game_value == pytest.approx(expected, abs=1e-8)
    approached = approach(tree, tolerance=1e-2)
    assert exploitability(tree, approached) <= 1e-2
    assert history_values(tree, approached)[0] == pytest.approx(expected, abs=2e-2)


@given(graphs())
def test_evaluation_of_games_with_chance_and_cycles(game: type[Graph]) -> None:
    if not game.start().moves():
        return
    table = enumerate_game(game)
    best = evaluate(table, "perfect")
    anyone = evaluate(table, "random")
    assert best.exploitability < 1e-7 or can_be_endless(table).any()
    assert anyone.worst_case[0] <= solve_positions(table).value_for(0, game.start()) + 1e-7
    assert sum(anyone.worst_case) <= 1e-7


# Planted faults -----------------------------------------------------------------------------------


def planted(game: type[Position], **methods: object) -> set[str]:
    """Return the kinds of breach that `check` finds in a game with some methods replaced."""
    faulty = type("Planted", (game,), {"__doc__": "Wrong.", **methods})
    wrong: type[Position] = dataclass(frozen=True)(faulty)
    return {breach.kind for breach in check(wrong).breaches}


@settings(max_examples=fewer_examples(5))  # each checks a game once for every planted fault
@given(private_card_games())
def test_check_accepts_correct_games_and_finds_planted_faults(game: type[PrivateCards]) -> None:
    assert planted(game) == set()

    def no_weight(self: PrivateCards) -> dict[str, int]:
        return dict.fromkeys(game.odds(self), 0)

    def one_too_many(self: PrivateCards) -> dict[str, int]:
        return {**game.odds(self), "deal 7": 1}

    def too_much(self: PrivateCards) -> int | None:
        paid = game.payoff(self)
        return None if paid is None else paid + 10

    def names_the_hand(self: PrivateCards, move: str, after: PrivateCards) -> str:
        return f"{move}: {after.cards}"

    def betrays(self: PrivateCards) -> list[str]:
        opponent_card = self.cards[1 - self.to_move] if self.to_move in (0, 1) else None
        return game.moves(self)[:1] if opponent_card == 0 else game.moves(self)

    assert "odds" in planted(game, odds=no_weight)
    assert "odds" in planted(game, odds=one_too_many)
    assert "payoff" in planted(game, payoff=too_much)
    several = sum(1 for row in game.deals if any(row)) > 1
    assert ("reveals" in planted(game, tell=names_the_hand)) >= several
    assert "legality" in planted(game, moves=betrays)


@settings(max_examples=fewer_examples(5))  # each checks a game once for every planted fault
@given(graphs())
def test_inconsistent_rules_are_found(game: type[Graph]) -> None:
    if not game.start().moves():
        return
    assert planted(game) == set()

    def goes_on(self: Graph) -> list[str]:
        return game.moves(self) or ["go 0"]

    def other_payoff(self: Graph) -> int | None:
        return 0 if game.moves(self) else game.payoff(self)

    assert planted(game, payoff=other_payoff)
    ends = [node for node, out in enumerate(game.edges) if not out]
    reachable = {position.to_json()["node"] for position in enumerate_game(game).positions}
    if reachable & set(ends):
        assert planted(game, moves=goes_on)


def test_large_tree_is_approximated_and_reported_as_approximate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("duelbook.solver.solve.MAX_EXACT_CHOICES", 10)
    game = duelbook.load(str(EXAMPLES / "kuhn_poker.py"))
    solution = duelbook.solve(game)
    assert 1e-6 < solution.value_error <= 2e-3
    text = full_verdict(solution, game.start())
    assert (
        f"This is not exact: the strategies are exploitable by {solution.value_error:.1g}." in text
    )
    assert solution.value(game.start()) == pytest.approx(-1 / 18, abs=2e-3)


def test_too_many_histories_are_refused_with_the_memory_they_need() -> None:
    game = duelbook.load(str(EXAMPLES / "kuhn_poker.py"))
    with pytest.raises(TooLarge, match="more than 50 histories; a solution would need"):
        tree_of(game, max_histories=50)
