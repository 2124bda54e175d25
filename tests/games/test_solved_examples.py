"""Solutions of the example games, compared with published results and OpenSpiel."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import exploitability

import duelbook
from duelbook import Position
from duelbook.position import CHANCE
from duelbook.research.evaluation import evaluate
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution
from duelbook.solver.imperfect.histories import tree_of
from duelbook.solver.solve import solve, solve_positions, solve_tree
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import PositionIndex, Table
from duelbook.solver.values.interval_iteration import bounds
from short_games import EXAMPLES, write_short

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("no_loaded_games")]


def book(name: str) -> type[Position]:
    return duelbook.load(str(EXAMPLES / f"{name}.py"))


def varied(game: type[Position], **changes: Any) -> type[Position]:  # noqa: ANN401 # class attributes
    """Return a variant of a game with other numbers."""
    variant: type[Position] = dataclass(frozen=True)(
        type(f"Varied{game.__name__}", (game,), changes)
    )
    return variant


# Without chance -----------------------------------------------------------------------------------


def test_boutons_theorem_holds_for_every_position_of_nim_up_to_seven() -> None:
    nim = book("nim")
    takes = tuple(f"heap {heap} take {n}" for heap in (1, 2, 3) for n in range(1, 8))
    large = varied(
        nim,
        __annotations__={"heaps": "tuple[int, ...]"},
        heaps=(7, 7, 7),
        ACTIONS=takes,
        RANGES={"heaps": range(8)},
    )
    solution = solve(large)
    for heaps in product(range(8), repeat=3):
        position = large(0, heaps)  # type: ignore[call-arg] # the field of Nim
        lost = heaps[0] ^ heaps[1] ^ heaps[2] == 0
        assert solution.value(position) == (-1 if lost else 1)


def test_hexapawn_is_won_by_the_second_player() -> None:
    hexapawn = book("hexapawn")
    assert solve(hexapawn).value(hexapawn()) == -1


def test_connect_four_on_four_columns_and_rows_is_a_draw() -> None:
    connect_four = varied(
        book("connect_four"),
        __annotations__={"squares": "tuple[int | None, ...]"},
        width=4,
        squares=(None,) * 16,
        ACTIONS=tuple(f"column {column}" for column in range(1, 5)),
    )
    table = enumerate_game(connect_four)
    assert len(table) == 161_029  # the published number for this size
    assert solve_positions(table).value(connect_four()) == 0


# Chance -------------------------------------------------------------------------------------------


def pig_in_arrays(goal: int) -> Table:
    """Return the table of Pig, computed without the rules.

    The indices of a position are the points of Player 1, the points of Player 2, the turn total,
    the mover, and whether the die is rolling. Two more positions are the wins of both players.
    """
    shape = (goal, goal, goal, 2, 2)
    numbers = np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
    first, second, total, mover, rolling = (axis.ravel() for axis in np.indices(shape, np.int32))
    size = numbers.size
    ours = np.where(mover == 0, first, second)
    opponents = np.where(mover == 0, second, first)

    def at(own: Any, opponent: Any, turn: Any, seat: Any) -> Any:  # noqa: ANN401 # arrays
        pair = np.where(seat == 0, own, opponent), np.where(seat == 0, opponent, own)
        return numbers[pair[0] % goal, pair[1] % goal, turn % goal, seat, 0]

    wins = size + mover
    after = np.full((size, 6), -1, np.int32)
    after[:, 0] = np.where(rolling, at(opponents, ours, total * 0, 1 - mover), numbers.ravel() + 1)
    can_hold = total > 0
    held = at(opponents, ours + total, total * 0, 1 - mover)
    for pips in range(2, 7):
        more = np.where(ours + total + pips >= goal, wins, at(ours, opponents, total + pips, mover))
        after[:, pips - 1] = np.where(rolling, more, -1)
    after[:, 1] = np.where(rolling == 1, after[:, 1], np.where(can_hold, held, -1))
    legal = (after >= 0) & (ours + total < goal)[:, None]
    rows = np.concatenate([[0], np.cumsum(legal.sum(1)), [0, 0]])
    rows[-2:] = rows[-3]
    by_chance = np.repeat(rolling, legal.sum(1))
    movers = np.where(rolling == 1, CHANCE, mover)
    winner = np.full(size + 2, ONGOING)
    winner[-2:] = 0, 1
    blocked = np.flatnonzero(np.diff(rows) == 0)[:-2]
    winner[blocked] = mover[blocked]  # never reached: a turn that is already won
    return Table(
        Position,
        0,
        PositionIndex(),
        np.append(movers, [0, 1]).astype(np.int8),
        winner.astype(np.int8),
        rows,
        np.zeros(int(legal.sum()), np.uint8),
        after[legal].astype(np.int32),
        (0, size + 2),
        np.zeros(size + 2, np.bool_),
        False,
        by_chance.astype(np.int64),
    )


def first_players_share(table: Table) -> tuple[float, float]:
    start_bounds = bounds(table)
    return (1 + start_bounds.low[0]) / 2, (1 + start_bounds.high[0]) / 2


def test_a_short_pig_is_worth_the_same_by_rules_and_by_arithmetic() -> None:
    short = enumerate_game(varied(book("pig"), goal=15))
    assert first_players_share(short) == pytest.approx(
        first_players_share(pig_in_arrays(15)), abs=1e-9
    )


def test_the_first_player_wins_pig_as_often_as_is_published() -> None:
    low, high = first_players_share(pig_in_arrays(100))
    assert high - low < 1e-9
    assert round(low, 4) == 0.5306  # Neller and Presser, 2004


# Private cards ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "twin", "value", "sets"),
    [
        ("kuhn_poker", "kuhn_poker", -1 / 18, 12),
        ("leduc_poker", "leduc_poker", -0.085606424078, 936),
    ],
)
def test_a_poker_has_the_published_value(name: str, twin: str, value: float, sets: int) -> None:
    solution = solve_tree(tree_of(book(name)))
    assert solution.value_error < 1e-9
    assert solution.game_value == pytest.approx(value, abs=1e-9)
    assert len(solution.tree.choices) == sets
    native = pyspiel.load_game(twin)
    theirs = exploitability.nash_conv(native, policies.UniformRandomPolicy(native))
    assert -sum(evaluate(book(name), "random").worst_case) == pytest.approx(theirs, abs=1e-9)


def test_perfect_play_of_kuhn_poker_is_an_equilibrium_in_openspiel() -> None:
    game = book("kuhn_poker")
    solution = duelbook.solve(game)
    assert isinstance(solution, EquilibriumSolution)
    native = pyspiel.load_game("kuhn_poker")
    policy = policies.TabularPolicy(native)
    for state, row in policy.state_lookup.items():
        # OpenSpiel writes the card as a digit, then p and b for pass and bet.
        card, letters = ("jack", "queen", "king")[int(state[0])], state[1:]
        words = " ".join({"p": "pass", "b": "bet"}[letter] for letter in letters)
        look = next(
            view
            for view in solution.tree.looks
            if card in view.to_json()["cards"] and view.to_json()["said"] == words
        )
        shares = solution.strategy(look)
        policy.action_probability_array[row] = [shares["pass"], shares["bet"]]
    assert exploitability.nash_conv(native, policy) == pytest.approx(0, abs=1e-9)


def test_goofspiel_has_value_0_and_random_play_loses_as_in_openspiel() -> None:
    game = book("goofspiel")
    table = enumerate_game(game)
    assert solve_positions(table).value_for(0, game.start()) == pytest.approx(0, abs=1e-9)
    native = pyspiel.load_game(
        "turn_based_simultaneous_game(game=goofspiel(num_cards=4,imp_info=False,"
        "points_order=random,returns_type=win_loss))"
    )
    theirs = exploitability.nash_conv(native, policies.UniformRandomPolicy(native))
    assert -sum(evaluate(table, "random").worst_case) == pytest.approx(theirs, abs=1e-9)


def test_liars_dice_with_three_sides_is_as_in_openspiel(tmp_path: Path) -> None:
    game = duelbook.load(str(write_short("liars_dice", tmp_path)))
    solution = duelbook.solve(game)
    assert isinstance(solution, EquilibriumSolution)
    native = pyspiel.load_game("liars_dice(dice_sides=3)")
    uniform = policies.UniformRandomPolicy(native)
    theirs = exploitability.nash_conv(native, uniform)
    assert -sum(evaluate(game, "random").worst_case) == pytest.approx(theirs, abs=1e-9)
    assert len(solution.tree.choices) == len(policies.TabularPolicy(native).state_lookup)
    assert solution.value_error < 1e-9
