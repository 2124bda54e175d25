"""Edge cases of chance: uneven odds, early ends, and limits at chance nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Self

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env

import duelbook
from duelbook import Position, VectorEnv
from duelbook.adapters import openspiel
from duelbook.adapters.gymnasium import ANY_GAME, DuelEnv
from duelbook.adapters.pettingzoo import env
from duelbook.analysis.simulation_summary import as_text
from duelbook.conformance import check
from duelbook.position import CHANCE
from duelbook.solver.enumeration.enumerator import enumerate_game

pytestmark = pytest.mark.integration


@dataclass(frozen=True, slots=True)
class Jackpot(Position):
    """A jackpot ends the game at once; else take a point or spin for 5, which mostly costs 1."""

    ACTIONS = ("take", "spin")
    CHANCE_MOVES = ("jackpot", "blank", "five", "loss")
    RANGES = {"paid": (None, range(-1, 8))}
    player_1_starts = True
    largest_payoff = 7

    to_move: int = CHANCE
    spun: bool = False
    paid: int | None = None

    def moves(self) -> list[str]:
        if self.paid is not None:
            return []
        if self.to_move == CHANCE:
            return ["five", "loss"] if self.spun else ["jackpot", "blank"]
        return ["take", "spin"]

    def odds(self) -> Mapping[str, int]:
        return {"five": 2, "loss": 9} if self.spun else {"jackpot": 1, "blank": 4}

    def apply(self, move: str) -> Self:
        if move == "spin":
            return replace(self, to_move=CHANCE, spun=True)
        paid = {"jackpot": 7, "five": 5, "loss": -1, "take": 1}.get(move)
        return replace(self, to_move=0, paid=paid)

    def payoff(self) -> int | None:
        return self.paid


VALUE = 1 / 5 * 7 + 4 / 5 * (1 / 2 + 1 / 2 * (2 * 5 - 9) / 11)
"""The expected payoff of random play."""


def test_jackpot_conforms() -> None:
    assert check(Jackpot).breaches == ()


def test_simulation_draws_chance_outcomes_by_their_weights() -> None:
    for record in (False, True):
        simulation = duelbook.simulate(Jackpot, games=100_000, seed=5, record=record)
        assert abs(simulation.mean_payoffs[0] - VALUE) < 4 * simulation.payoff_error
        assert sorted(simulation.payoff_counts) == [-1, 0, 1, 5, 7]
        assert simulation.payoff_counts[0] == simulation.unfinished == 0
        for paid, chance in {7: 0.2, 1: 0.4, 5: 0.4 * 2 / 11, -1: 0.4 * 9 / 11}.items():
            error = sqrt(chance * (1 - chance) / simulation.games)
            assert abs(simulation.payoff_counts[paid] / simulation.games - chance) < 4 * error
    assert "paid to Player 1" in as_text(simulation, ("random", "random"))


def test_payoffs_are_the_same_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = duelbook.simulate(Jackpot, games=5000, seed=2)
    monkeypatch.setattr("duelbook.research.simulation.find_spec", lambda _: None)
    plain = duelbook.simulate(Jackpot, games=5000, seed=2)
    assert plain.payoff_counts == compiled.payoff_counts


def test_unfinished_game_pays_nothing() -> None:
    simulation = duelbook.simulate(Jackpot, games=20_000, limit=1)
    assert (
        simulation.unfinished
        == simulation.payoff_counts[0.0]
        == 20_000 - simulation.payoff_counts[7.0]
    )
    assert simulation.mean_payoffs[0] == 7 * simulation.payoff_counts[7.0] / 20_000


def test_vector_env_draws_chance_outcomes_by_their_weights() -> None:
    many, random = VectorEnv(Jackpot, 50_000, seed=3), np.random.default_rng(1)
    batch = many.reset()
    won = ~batch.masks.any(1)
    assert abs(won.mean() - 0.2) < 4 * sqrt(0.2 * 0.8 / 50_000)
    batch = many.step(np.where(won, -7, many.sample(random)))  # an invalid action
    assert batch.terminated.all()
    assert not batch.illegal.any()
    assert (batch.rewards[won] == [7, -7]).all()
    paid = batch.rewards[:, 0]
    assert abs(paid.mean() - VALUE) < 4 * paid.std() / sqrt(len(paid))


def test_games_are_cut_while_chance_is_to_move() -> None:
    many = VectorEnv(Jackpot, 100, limit=2)
    batch = many.reset()
    plays = batch.masks.any(1)
    batch = many.step(np.ones(100, np.int64))
    assert (batch.truncated == plays).all()
    assert not batch.rewards[plays].any()
    reached = [many.table.positions[int(number)] for number in batch.reached[plays]]
    assert {position.to_move for position in reached} == {CHANCE}
    assert many.observe(positions=batch.reached).shape == (100, many.observe().shape[1])


def test_a_limit_can_cut_a_game_before_a_player_moves() -> None:
    many = VectorEnv(Jackpot, 100, limit=1)
    assert not many.reset().masks.any()
    batch = many.step(many.sample(np.random.default_rng(0)))
    assert (batch.terminated ^ batch.truncated).all()
    assert not batch.illegal.any()


def seeds(outcome: str) -> int:
    """Return a seed whose first chance outcome is this one, in both environments."""
    for seed in range(100):
        pettingzoo = env(Jackpot)
        pettingzoo.reset(seed=seed)
        gym = DuelEnv(Jackpot)
        _, info = gym.reset(seed=seed)
        ended = all(pettingzoo.terminations.values()), not info["action_mask"].any()
        if ended == (outcome == "jackpot",) * 2:
            return seed
    raise AssertionError(outcome)


def test_pettingzoo_ends_a_game_before_anyone_has_moved() -> None:
    game = env(Jackpot)
    game.reset(seed=seeds("jackpot"))
    assert game.rewards == {"player_0": 7, "player_1": -7}
    rewards = {}
    for agent in game.agent_iter():
        look, rewards[agent], terminated, *_ = game.last()
        assert terminated
        assert not look["action_mask"].any()
        game.step(None)
    assert rewards == {"player_0": 7, "player_1": -7}


def test_pettingzoo_cuts_a_game_while_chance_is_to_move() -> None:
    game = env(Jackpot, limit=2)
    game.reset(seed=seeds("blank"))
    game.step(1)
    assert set(game.truncations.values()) == {True}
    assert set(game.terminations.values()) == {False}


def test_copy_draws_the_same_chance_outcomes() -> None:
    from copy import deepcopy

    game = env(Jackpot)
    game.reset(seed=seeds("blank"))
    copies = [deepcopy(game) for _ in range(5)]
    for copy in copies:
        copy.step(1)
    assert len({copy.rewards["player_0"] for copy in copies}) == 1


def test_gymnasium_ends_a_game_before_anyone_has_moved() -> None:
    game = DuelEnv(Jackpot)
    _, info = game.reset(seed=seeds("jackpot"))
    assert not info["action_mask"].any()
    assert game.step(0)[1:4] == (7, True, False)


def test_gymnasium_cuts_a_game_while_chance_is_to_move() -> None:
    game = DuelEnv(Jackpot, limit=2)
    game.reset(seed=seeds("blank"))
    _, reward, over, cut, info = game.step(1)
    assert (reward, over, cut) == (0, False, True)
    assert not info["action_mask"].any()


def test_an_illegal_action_costs_the_largest_payoff() -> None:
    @dataclass(frozen=True, slots=True)
    class Strict(Jackpot):
        """The same, but nobody may spin."""

        def moves(self) -> list[str]:
            legal = Jackpot.moves(self)
            return legal if self.to_move == CHANCE else legal[:1]

    game = DuelEnv(Strict)
    game.reset(seed=seeds("blank"))
    assert game.step(1)[1:4] == (-7, True, False)
    table = env(Strict)
    table.reset(seed=seeds("blank"))
    table.step(1)
    assert table.rewards == {"player_0": -7, "player_1": 0}
    many = VectorEnv(Strict, 50)
    playing = many.reset().masks.any(1)
    batch = many.step(np.ones(50, np.int64))
    assert (batch.rewards[playing] == [-7, 0]).all()
    assert (batch.illegal == playing).all()


def test_openspiel_cuts_a_game_while_chance_is_to_move() -> None:
    game = pyspiel.load_game(openspiel.register(Jackpot), {"limit": 2})
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(0, 0.2), (1, 0.8)]
    state.apply_action(1)
    state.apply_action(1)
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert (game.min_utility(), game.max_utility()) == (-7, 7)
    assert game.max_chance_outcomes() == 4
    assert game.max_chance_nodes_in_history() == 2
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_gymnasium_accepts_a_game_class() -> None:
    check_env(gymnasium.make(ANY_GAME, game=Jackpot).unwrapped)


def test_table_has_the_chance_probabilities_of_the_rules() -> None:
    table = enumerate_game(Jackpot)
    for number, position in enumerate(table.positions):
        row = slice(table.rows[number], table.rows[number + 1])
        names = [table.move_names[action] for action in table.actions[row]]
        odds = position.odds() if position.to_move == CHANCE else {}
        total = sum(odds.values()) or 1
        assert table.chances[row].tolist() == [odds.get(name, 0) / total for name in names]
