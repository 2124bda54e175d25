"""Simulation: NumPy and compiled code play the same games, and linear algebra confirms them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Self

import numpy as np
import pytest
from conftest import Run
from hypothesis import given, settings
from hypothesis import strategies as st

import duelbook
from duelbook import DRAW, DuelbookError, Match, Position
from duelbook.position import Draw
from duelbook.research.expectation import expectation
from duelbook.research.kernels import compiled_playouts
from duelbook.research.playouts import MoveSampler, playout
from duelbook.research.policies import Shares, at_random, joint_policy, shares
from duelbook.research.random_streams import Generator, key_of
from duelbook.research.simulation import BLOCK
from duelbook.solver.tables.position_table import Table
from paths import TESTS
from shared_solutions import shared_table
from strategies import GAMES, fewer_examples

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("reuse_memory")]
LARGE = "random", "perfect:0.5"
"""The players of a large game in the tests; their policies take long to compute."""


_samplers: dict[tuple[type[Position], str], MoveSampler] = {}


def sampler_for(game: type[Position], policy: str) -> MoveSampler:
    """Return the sampler of a policy; tests must not change it."""
    if (game, policy) not in _samplers:
        shared = shares(shared_table(game), policy)
        _samplers[game, policy] = MoveSampler.of(shared_table(game), shared)
    return _samplers[game, policy]


@pytest.fixture(scope="module")
def large_policy() -> Shares:
    """Return the joint policy of the players of a large game."""
    return joint_policy(shared_table(duelbook.load("galaxy")), LARGE)


every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
small_game = pytest.mark.parametrize(
    "game", [game for game in GAMES if not game.vectors], ids=lambda game: str(game.slug)
)
TOWER = duelbook.load("tower")


@every_game
@pytest.mark.parametrize("players", [("random", "random"), LARGE], ids=str)
def test_simulation_agrees_with_exact_probabilities(
    game: type[Position], players: tuple[str, str], request: pytest.FixtureRequest
) -> None:
    table, games = shared_table(game), 200_000
    is_known = game.vectors and players == LARGE
    policy = request.getfixturevalue("large_policy") if is_known else joint_policy(table, players)
    # A policy of a large game takes long to compute, so the tests share it.
    named = (policy, policy) if game.vectors else players
    simulation = duelbook.simulate(table, games=games, players=named, seed=1)
    exact = expectation(table, policy)
    for seat in (0, 1):
        chance = exact.wins[0, seat]
        error = sqrt(chance * (1 - chance) / games)
        assert abs(simulation.wins[seat] / games - chance) < 4.5 * error
    assert simulation.unfinished == 0
    lengths = np.repeat(np.arange(len(simulation.lengths)), simulation.lengths)
    assert abs(simulation.mean_length - exact.plies[0]) < 4.5 * lengths.std() / sqrt(games)


@every_game
def test_every_trajectory_follows_the_rules(game: type[Position]) -> None:
    table = shared_table(game)
    simulation = duelbook.simulate(
        table, games=200, players=("random", "hard"), record=True, limit=300
    )
    assert simulation.trajectories
    winners = []
    for number in range(200):
        match = Match.begin(game)
        begin = simulation.trajectories.starts[number]
        for at, move in enumerate(simulation.trajectories.moves(number)):
            assert (
                table.positions[int(simulation.trajectories.positions[begin + at])]
                == match.position
            )
            match = match.play(move)
        winners.append(match.winner())
        assert match.winner() is not None or len(match.moves) == 300
    assert (winners.count(0), winners.count(1)) == simulation.wins
    assert winners.count(None) == simulation.unfinished


@small_game
@given(
    seed=st.integers(0, 2**63),
    games=st.integers(1, 3000),
    limit=st.integers(1, 40),
    policy=st.sampled_from(["random", "perfect", "perfect:0.3", "easy"]),
)
@settings(max_examples=fewer_examples(5))  # each plays up to 3,000 games in NumPy
def test_compiled_and_plain_playouts_are_the_same(
    game: type[Position], seed: int, games: int, limit: int, policy: str
) -> None:
    sampler = sampler_for(game, policy)
    plain, _ = playout(sampler, games, limit, key_of(seed, 0))
    assert np.array_equal(
        compiled_playouts.playout(
            compiled_playouts.PackedSampler.of(sampler), games, limit, key_of(seed, 0)
        ),
        plain,
    )


def test_compiled_and_plain_playouts_of_a_large_game_are_the_same(large_policy: Shares) -> None:
    sampler = MoveSampler.of(shared_table(duelbook.load("galaxy")), large_policy)
    plain, _ = playout(sampler, 2000, 100, key_of(5, 0))
    packed = compiled_playouts.PackedSampler.of(sampler)
    assert np.array_equal(compiled_playouts.playout(packed, 2000, 100, key_of(5, 0)), plain)


@dataclass(frozen=True, slots=True)
class Many(Position):
    """Has more moves than the count in a 32-bit word can hold, and may be drawn."""

    ACTIONS = tuple(f"add {n}" for n in range(1, 101))
    total: int = 0

    def moves(self) -> list[str]:
        return list(self.ACTIONS) if self.total < 150 else []

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, total=self.total + int(move.split()[1]))

    def winner(self) -> int | Draw | None:
        if self.total < 150:
            return None
        return DRAW if self.total % 3 == 0 else self.to_move


@given(
    game=st.sampled_from([TOWER, duelbook.load("token"), Many]),
    seed=st.integers(0, 2**32),
    spread=st.sampled_from([0, 1, 30]),
)
@settings(max_examples=fewer_examples(5))  # each draws from a policy for a whole table
def test_moves_are_drawn_with_the_probabilities_of_the_policy(
    game: type[Position], seed: int, spread: int
) -> None:
    table, random = shared_table(game), np.random.default_rng(seed)
    weights = np.exp(spread * random.normal(size=len(table.after)))
    weights[random.random(len(weights)) < 0.2] *= 0.0
    weights[table.rows[:-1][np.diff(table.rows) > 0]] += 1e-3  # some move must be possible
    policy = weights / np.bincount(table.sources, weights)[table.sources]
    sampler = MoveSampler.of(table, policy)
    counts = np.repeat(np.diff(sampler.rows), np.diff(sampler.rows))
    first = np.repeat(sampler.rows[:-1], np.diff(sampler.rows))
    own_shares = (sampler.aliases >> np.uint64(sampler.shift)) / 2.0**sampler.bits
    aliases = (sampler.aliases & np.uint64(2**sampler.shift - 1)).astype(np.int64) + first
    chances = own_shares / counts
    np.add.at(chances, aliases, (1 - own_shares) / counts)
    assert np.abs(chances - policy[policy > 0]).max() < 1e-7
    plain, _ = playout(sampler, 700, 40, key_of(seed, 0))
    packed = compiled_playouts.PackedSampler.of(sampler)
    assert np.array_equal(compiled_playouts.playout(packed, 700, 40, key_of(seed, 0)), plain)


def test_game_with_very_many_moves_agrees_with_exact_probabilities() -> None:
    table, games = shared_table(Many), 200_000
    simulation, exact = duelbook.simulate(table, games=games), expectation(table, at_random(table))
    for count, chance in zip(simulation.wins, exact.wins[0], strict=True):
        assert abs(count / games - chance) < 4.5 * sqrt(chance * (1 - chance) / games)
    assert simulation.draws == games - sum(simulation.wins) > 0
    plain = duelbook.simulate(table, games=games, record=True)
    assert np.array_equal(simulation.ends, plain.ends)


def test_the_number_of_threads_changes_nothing() -> None:
    games = 3 * BLOCK + 17
    single_thread, four_threads = (
        duelbook.simulate(TOWER, games=games, seed=9, threads=n) for n in (1, 4)
    )
    assert np.array_equal(single_thread.ends, four_threads.ends)
    recorded = duelbook.simulate(TOWER, games=games, seed=9, threads=2, record=True)
    assert np.array_equal(single_thread.ends, recorded.ends)
    assert recorded.trajectories
    assert len(recorded.trajectories.starts) == games + 1
    assert not np.array_equal(
        single_thread.ends, duelbook.simulate(TOWER, games=games, seed=10).ends
    )


def test_games_are_the_same_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.research.simulation._numpy_budget.moves", 0)
    compiled = duelbook.simulate(TOWER, games=5000, seed=2)
    monkeypatch.setattr("duelbook.research.simulation.find_spec", lambda _: None)
    assert np.array_equal(duelbook.simulate(TOWER, games=5000, seed=2).ends, compiled.ends)


def test_only_repeated_simulations_load_compiled_code() -> None:
    code = (
        "import sys, duelbook\n"
        "def loaded() -> bool:\n"
        "    duelbook.simulate('island', games=1000)\n"
        "    return 'numba' in sys.modules\n"
        "waited = [loaded() for _ in range(10)]\n"
        "print(waited[0], waited[-1])"
    )
    done = subprocess.run(  # noqa: S603 # our own code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True"]


def test_random_numbers_are_uniform() -> None:
    drawn = Generator(key_of(3, 1)).rows(2000)
    for bits in (drawn >> 28, drawn & 15):  # sixteen boxes by the highest and the lowest bits
        counts = np.bincount(bits, minlength=16)
        assert ((counts - len(drawn) / 16) ** 2 / (len(drawn) / 16)).sum() < 50  # p below 1e-5


def test_a_game_cut_at_the_limit_is_unfinished() -> None:
    simulation = duelbook.simulate("capture", games=100, players=("perfect", "perfect"), limit=30)
    assert (simulation.wins, simulation.unfinished, simulation.plies) == ((0, 0), 100, 3000)
    assert simulation.lengths.tolist() == [0]
    assert simulation.mean_length == 0


def test_a_game_that_can_get_stuck_is_refused() -> None:
    broken = TESTS / "broken" / "stuck.py"
    with pytest.raises(DuelbookError, match="positions with neither a move nor an outcome"):
        duelbook.simulate(duelbook.load(str(broken)), games=10)


def test_first_player_can_be_chosen() -> None:
    simulation = duelbook.simulate("tower", games=50, players=("perfect", "perfect"), first=1)
    assert simulation.wins == (0, 50)
    assert simulation.lengths[-1] == 50
    assert len(simulation.lengths) == 22


# Policies ---------------------------------------------------------------------------------------


def test_arrays_choosers_and_names_define_the_same_policy() -> None:
    table = shared_table(TOWER)
    grid = np.zeros((len(table), len(TOWER.ACTIONS)))
    for number, position in enumerate(table.positions):
        if position.moves():
            grid[number, TOWER.ACTIONS.index(position.moves()[-1])] = 1
    by_moves = shares(table, grid)
    assert np.array_equal(by_moves, shares(table, lambda view: view.moves()[-1]))
    assert np.array_equal(by_moves, shares(table, lambda view: {view.moves()[-1]: 1.0}))
    assert np.array_equal(by_moves, shares(table, by_moves.astype(np.float32)))
    easy = 0.7 * at_random(table) + 0.3 * shares(table, "perfect")
    assert shares(table, "easy") == pytest.approx(easy)
    assert shares(table, "perfect:0.7") == pytest.approx(easy)


def test_array_policy_plays_against_any_player() -> None:
    table = shared_table(TOWER)
    array = shares(table, "easy")
    by_name = duelbook.simulate(table, games=2000, players=("easy", "perfect"))
    by_array = duelbook.simulate(table, games=2000, players=(array, "perfect"))
    assert by_array.wins == by_name.wins
    both = duelbook.simulate(table, games=2000, players=(array, array.copy()))
    assert both.wins == duelbook.simulate(table, games=2000, players=("easy", "easy")).wins


def test_every_seed_and_block_has_a_different_key() -> None:
    keys = {int(key_of(seed, block)) for seed in (0, 5, 5 << 32, 1 << 64) for block in range(50)}
    assert len(keys) == 200


def test_table_refuses_another_first_player() -> None:
    with pytest.raises(DuelbookError, match="In this table Player 1 moves first"):
        duelbook.simulate(shared_table(TOWER), first=1)


def test_a_chooser_sees_views_only() -> None:
    game = duelbook.load("token")
    seen: list[Position] = []

    def chooser(view: Position) -> str:
        seen.append(view)
        return view.moves()[0]

    duelbook.simulate(shared_table(game), games=10, players=(chooser, "random"))
    assert all(view == view.view(view.to_move) for view in seen)
    assert len(seen) == len(set(seen))


def peeking(table: Table) -> Any:  # noqa: ANN401 # an array
    """Defend with as many tokens as the attacker has committed."""
    policy = at_random(table)
    for number, position in enumerate(table.positions):
        commit = position.to_json()["commit"]
        row = slice(table.rows[number], table.rows[number + 1])
        answers = [table.game.ACTIONS[action] for action in table.actions[row]]
        if f"defend {commit}" in answers:
            policy[row] = [answer == f"defend {commit}" for answer in answers]
    return policy


def grid_with(table: Table, *illegal: float) -> Any:  # noqa: ANN401 # an array
    """Return random play, except for some actions that are illegal at the start."""
    grid = np.zeros((len(table), len(table.game.ACTIONS)))
    grid[table.sources, table.actions] = at_random(table)
    blocked = np.argwhere((grid == 0) & (np.diff(table.rows) > 0)[:, None])
    for (row, column), value in zip(blocked, illegal, strict=False):
        grid[row, column] = value
    return grid


@pytest.mark.parametrize(
    ("slug", "policy", "reason"),
    [
        ("token", peeking, "differs between positions of one information set"),
        ("tower", lambda t: np.ones(len(t.after)), "add up to 1"),
        ("tower", lambda t: -at_random(t), "add up to 1"),
        ("tower", lambda t: at_random(t) * np.nan, "add up to 1"),
        ("tower", lambda t: np.ones(3), r"shape \(1692,\) or \(558, 4\), not \(3,\)"),
        (
            "tower",
            lambda t: np.full((558, 4), 0.25),
            "gives a nonzero probability to illegal moves",
        ),
        ("tower", lambda t: lambda view: "attack", "'attack', which is not legal there"),
        ("tower", lambda t: lambda view: {}, "add up to 1"),
        ("tower", lambda t: lambda view: 0, "must return a move, or moves and their probabilities"),
        ("tower", lambda t: np.array(["a"] * len(t.after)), "must be numbers"),
        (
            "tower",
            lambda t: grid_with(t, 5.0, -5.0),
            "gives a nonzero probability to illegal moves",
        ),
        (
            "tower",
            lambda t: grid_with(t, np.nan, 0.0),
            "gives a nonzero probability to illegal moves",
        ),
        ("tower", lambda t: "best", "no player 'best'"),
        ("tower", lambda t: "perfect:2", "must be from 0 to 1, not '2'"),
        ("tower", lambda t: "random:1", "takes no argument"),
        ("tower", lambda t: "easy:1", "easy takes no argument"),
    ],
)
def test_an_invalid_policy_is_refused(
    slug: str, policy: Callable[[Table], Any], reason: str
) -> None:
    table = shared_table(duelbook.load(slug))
    with pytest.raises(DuelbookError, match=reason):
        shares(table, policy(table))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"games": 0}, "number of games must be an integer from 1"),
        ({"limit": 0}, "limit must be an integer from 1 to 1,000,000"),
        ({"threads": 0}, "number of threads must be an integer"),
        ({"seed": -1}, "seed must be an integer from 0"),
        ({"seed": 1.5}, "seed must be an integer from 0"),
        ({"games": 1e3}, "number of games must be an integer"),
        ({"limit": 10**12}, "limit must be an integer from 1 to 1,000,000"),
        ({"players": ("random",)}, "Give two policies"),
        ({"players": "random"}, "Give two policies"),
    ],
)
def test_invalid_simulation_arguments_are_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(DuelbookError, match=reason):
        duelbook.simulate(TOWER, **arguments)


# The command ------------------------------------------------------------------------------------


def test_the_command_shows_wins_and_lengths(run: Run) -> None:
    shown = run("simulate", "island", "--players", "perfect", "random", "--games", "20000").stdout
    simulation = duelbook.simulate("island", games=20_000, players=("perfect", "random"))
    assert f"Island Conquest: 20,000 games, {simulation.plies:,} plies" in shown
    assert f"Player 1 (perfect)         {simulation.wins[0]:,}" in shown
    assert f"Player 2 (random) {simulation.wins[1]:>15,}" in shown
    rows = [line.split() for line in shown.splitlines()]
    for plies, count in enumerate(simulation.lengths.tolist()):
        if count:
            assert any(row[:1] == [str(plies)] and row[-1] == f"{count:,}" for row in rows)


def test_the_command_reports_unfinished_games(run: Run) -> None:
    shown = run("simulate", "capture", "--players", "perfect", "perfect", "--limit", "9").stdout
    assert "unfinished after 9 plies" in shown
    assert "No game ended." in shown


def test_the_command_refuses_in_one_sentence(run: Run) -> None:
    assert "no player 'me'" in run("simulate", "tower", "--players", "me", "random").stderr
    assert "Player 1 starts" in run("simulate", "island", "--first", "2").stderr
