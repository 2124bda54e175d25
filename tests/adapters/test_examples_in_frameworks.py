"""The example games inside other frameworks: dice are rolled, hands stay hidden, scores are paid.

A new file in `examples/games` joins these tests by itself.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import duelbook
from duelbook import Match, Position, VectorEnv
from duelbook.adapters import openspiel
from duelbook.adapters.gymnasium import DuelEnv
from duelbook.adapters.pettingzoo import env
from duelbook.encoding.observations import observer
from duelbook.position import CHANCE
from duelbook.research.expectation import expectation
from duelbook.research.kernels import compiled_playouts
from duelbook.research.playouts import MoveSampler, playout
from duelbook.research.policies import joint_policy
from duelbook.research.random_streams import key_of
from duelbook.secrecy import SeatRecord, keeps_secrets
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.tables.position_table import Table
from paths import ROOT
from short_games import write_short

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("no_loaded_games")]

FILES = sorted((ROOT / "examples" / "games").glob("*.py"))
SECRET = ["goofspiel", "kuhn_poker", "leduc_poker", "liars_dice", "sealed_bids"]
each_game = pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
_tables: dict[Path, Table] = {}


def test_list_of_games_with_hidden_information_is_complete() -> None:
    assert [file.stem for file in FILES if keeps_secrets(load(file))] == SECRET


def named(name: str) -> Path:
    return next(file for file in FILES if file.stem == name)


def load(file: Path) -> type[Position]:
    return duelbook.load(str(file))


def table_for(file: Path) -> Table:
    """Return the table of a game, or of its short version; tests must not change it."""
    if file not in _tables:
        with TemporaryDirectory() as folder:
            _tables[file] = enumerate_game(load(write_short(file.stem, Path(folder))))
    return _tables[file]


def at_random(game: type[Position], random: Random) -> Match:
    """Return a match played at random for a while."""
    match = Match.begin(game)
    for _ in range(random.randrange(30)):
        if not match.position.moves():
            break
        match = match.play(random.choice(match.position.moves()))
    return match


# OpenSpiel ----------------------------------------------------------------------------------


def spiel(file: Path, **parameters: int) -> Any:  # noqa: ANN401 # OpenSpiel ships no types
    return pyspiel.load_game(openspiel.register(load(file)), parameters)


def replayed(match: Match, loaded: Any) -> Any:  # noqa: ANN401 # as above
    """Return OpenSpiel's state after the moves of a match."""
    game, state = type(match.position), loaded.new_initial_state()
    for position, move in zip(match.positions, match.moves, strict=False):
        moves = game.CHANCE_MOVES if position.to_move == CHANCE else game.ACTIONS
        state.apply_action(moves.index(move))
    return state


@each_game
def test_openspiel_has_the_chance_probabilities_and_payoffs(file: Path) -> None:
    game, loaded, random = load(file), spiel(file), Random(1)
    kinds = pyspiel.GameType.ChanceMode
    stochastic = loaded.get_type().chance_mode == kinds.EXPLICIT_STOCHASTIC
    assert stochastic == bool(game.CHANCE_MOVES)
    for _ in range(20):
        match = at_random(game, random)
        state, position, outcome = replayed(match, loaded), match.position, match.outcome()
        assert state.is_terminal() == (outcome is not None)
        assert state.returns() == list(outcome.payoffs if outcome else (0, 0))
        assert max(state.returns()) <= state.get_game().max_utility()
        if outcome is None and position.to_move == CHANCE:
            assert state.is_chance_node()
            total = sum(position.odds().values())
            assert {
                state.action_to_string(action): chance for action, chance in state.chance_outcomes()
            } == {move: weight / total for move, weight in position.odds().items()}
        elif outcome is None:
            assert state.current_player() == position.to_move


@pytest.mark.parametrize(("name", "most"), [("kuhn_poker", 3), ("leduc_poker", 14)])
def test_openspiel_gives_our_game_and_its_version_the_same_value(name: str, most: int) -> None:
    ours, openspiels = spiel(named(name)), pyspiel.load_game(name)
    values = []
    for game in (ours, openspiels):
        uniform = policies.UniformRandomPolicy(game)
        value = expected_game_score.policy_value(game.new_initial_state(), [uniform, uniform])
        values.append(value)
        assert game.max_utility() < most
    assert values[0] == pytest.approx(values[1])


def test_openspiel_solves_our_kuhn_poker() -> None:
    game, native = spiel(named("kuhn_poker")), pyspiel.load_game("kuhn_poker")
    values = [
        exploitability.exploitability(g, policies.UniformRandomPolicy(g)) for g in (game, native)
    ]
    assert values[0] == pytest.approx(values[1])
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    learned = solver.average_policy()
    assert exploitability.exploitability(game, learned) < 0.001
    value = expected_game_score.policy_value(game.new_initial_state(), [learned, learned])
    assert value[0] == pytest.approx(-1 / 18, abs=1e-3)


def every_history(game: type[Position], plies: int) -> Iterator[Match]:
    layer = [Match.begin(game)]
    for _ in range(plies + 1):
        yield from layer
        layer = [match.play(move) for match in layer for move in match.position.moves()]


def few_choices(game: type[Position], seed: int) -> Match:
    """Return a match with few different moves, so that many histories look the same."""
    match, random = Match.begin(game), Random(seed)
    for _ in range(random.randrange(2, 9)):
        if not match.position.moves():
            break
        match = match.play(random.choice(match.position.moves()[-2:]))
    return match


@pytest.mark.parametrize("name", SECRET)
def test_information_states_contain_the_views_and_texts_of_a_seat(name: str) -> None:
    file = named(name)
    game = load(file)
    few = [few_choices(game, seed) for seed in range(400)]
    matches = list(every_history(game, 5)) if file.stem == "kuhn_poker" else few
    record_of: dict[tuple[int, str], SeatRecord] = {}
    text_of: dict[SeatRecord, str] = {}
    histories_of: dict[tuple[int, str], set[tuple[str, ...]]] = {}
    loaded = spiel(file)
    for match in matches:
        state = replayed(match, loaded)
        for seat in (0, 1):
            text, record = state.information_state_string(seat), match.record(seat)
            assert record_of.setdefault((seat, text), record) == record
            assert text_of.setdefault(record, text) == text
            histories_of.setdefault((seat, text), set()).add(match.moves)
    assert sum(len(histories) > 1 for histories in histories_of.values()) > 5


# PettingZoo and Gymnasium -------------------------------------------------------------------


def episode(environment: Any, seed: int) -> list[tuple[Any, ...]]:  # noqa: ANN401 # theirs
    """Return everything observed in a random episode."""
    seen: list[tuple[Any, ...]] = []
    random = Random(seed)
    environment.reset(seed=seed)
    for agent in environment.agent_iter():
        look, reward, terminated, truncated, _ = environment.last()
        mask = look["action_mask"]
        over = terminated or truncated
        assert over or mask.any(), "an agent without a move"
        assert over or look["observation"][1] == 1, "the agent to move does not see its turn"
        seen.append((agent, look["observation"].tobytes(), mask.tobytes(), reward, over))
        environment.step(None if over else random.choice(mask.nonzero()[0].tolist()))
    return seen


@each_game
def test_seed_repeats_chance_outcomes_and_agents_never_move_for_chance(file: Path) -> None:
    ours = env(str(file))
    first = episode(ours, seed=5)
    assert episode(ours, seed=5) == episode(env(str(file)), seed=5) == first
    outcome = ours.unwrapped._position.outcome()  # noqa: SLF001 # the last position
    assert outcome is not None
    assert {agent: reward for agent, *_, reward, over in first if over} == {
        f"player_{seat}": paid for seat, paid in enumerate(outcome.payoffs)
    }


@each_game
def test_reward_of_an_episode_is_the_payoff(file: Path) -> None:
    for seed in range(3):
        environment = DuelEnv(str(file), seat=1)
        _, info = environment.reset(seed=seed)
        random, over = Random(seed), False
        while not over:
            action = random.choice(info["action_mask"].nonzero()[0].tolist())
            _, reward, over, cut, info = environment.step(action)
            assert not cut
        outcome = environment._game.position.outcome()  # noqa: SLF001 # the last position
        assert outcome is not None
        assert reward == outcome.payoffs[1]


class Remembers:
    """Stores the records that it gets."""

    def __init__(self) -> None:
        self.records: list[SeatRecord] = []

    def choose(self, view: Position, random: Random) -> str:
        raise NotImplementedError

    def choose_from_record(self, record: SeatRecord, random: Random) -> str:
        self.records.append(record)
        return random.choice(record.view.moves())


@each_game
def test_the_opponent_chooses_from_the_record_of_its_seat(file: Path) -> None:
    opponent = Remembers()
    environment = DuelEnv(str(file), opponent=opponent)
    _, info = environment.reset(seed=2)
    over = False
    while not over:
        _, _, over, _, info = environment.step(info["action_mask"].nonzero()[0][-1])
    assert opponent.records
    for record in opponent.records:
        assert record.seat == record.view.to_move == 1
        assert record.view == record.view.view(1)
        assert record.steps  # the observations of the opponent, in open games too
        assert all(
            not own_move or own_move in environment.game.ACTIONS for own_move, *_ in record.steps
        )


def test_other_processes_can_load_a_game_from_a_file() -> None:
    code = f"""
import gymnasium
import duelbook.adapters.gymnasium

if __name__ == "__main__":
    many = gymnasium.make_vec(
        "duelbook/Game-v0", num_envs=2, vectorization_mode="async",
        vector_kwargs={{"context": "spawn"}}, game={str(named("kuhn_poker"))!r},
    )
    _, info = many.reset(seed=1)
    print(info["action_mask"].tolist(), many.step([1, 1])[2].tolist())
    many.close()
"""
    script = Path("many.py")
    script.write_text(code)
    done = subprocess.run(  # noqa: S603 # our own code
        [sys.executable, str(script)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "[[1, 1], [1, 1]] [True, True]\n", done.stderr


# Observations, simulation and many games at once --------------------------------------------


@each_game
def test_observations_differ_exactly_where_views_differ(file: Path) -> None:
    table, looks = table_for(file), dict[tuple[int, bytes], Position]()
    observe = observer(table.game)
    for position in table.positions:
        for seat in (0, 1):
            look, seen = position.view(seat), observe(position, seat)
            assert ((seen >= 0) & (seen <= 1)).all()
            assert looks.setdefault((seat, seen.tobytes()), look) == look


@each_game
def test_simulation_agrees_with_exact_expectations(file: Path) -> None:
    table, games = table_for(file), 100_000
    simulation = duelbook.simulate(table, games=games, seed=3)
    exact = expectation(table, joint_policy(table, ("random", "random")))
    assert simulation.unfinished == 0
    for seen, chance in zip(simulation.wins, exact.wins[0], strict=True):
        assert abs(seen / games - chance) <= 4 * sqrt(chance * (1 - chance) / games)
    value = exact.values[0] * (1 - 2 * (table.mover[0] == 1))
    assert abs(simulation.mean_payoffs[0] - value) <= 4 * simulation.payoff_error
    assert sum(simulation.mean_payoffs) == 0
    assert sum(simulation.payoff_counts.values()) == games


@each_game
def test_compiled_and_plain_playouts_are_the_same(file: Path) -> None:
    table = table_for(file)
    sampler = MoveSampler.of(table, joint_policy(table, ("random", "random")))
    tallies = sampler.new_tally(), sampler.new_tally()
    plain, record = playout(sampler, 3000, 30, key_of(2, 0), tallies[0])
    packed = compiled_playouts.PackedSampler.of(sampler)
    compiled = compiled_playouts.playout(packed, 3000, 30, key_of(2, 0), tallies[1])
    assert np.array_equal(plain, compiled)
    assert np.array_equal(*tallies)
    assert not len(tallies[0]) or tallies[0].sum() == plain.sum()
    assert len(record.game)


@each_game
def test_trajectories_follow_the_rules_and_have_correct_payoffs(file: Path) -> None:
    table = table_for(file)
    simulation = duelbook.simulate(table, games=100, record=True)
    assert simulation.trajectories
    paid = []
    for number in range(100):
        match = Match.begin(table.game)
        for move in simulation.trajectories.moves(number):
            match = match.play(move)
        outcome = match.outcome()
        assert outcome is not None
        paid.append(outcome.payoffs[0])
    assert simulation.mean_payoffs[0] == pytest.approx(np.mean(paid))


def after_chance(position: Position) -> set[Position]:
    """Return all positions that chance can lead to before a player is to move."""
    if position.to_move != CHANCE or not position.moves():
        return {position}
    return set().union(*(after_chance(position.play(move)) for move in position.moves()))


@pytest.mark.slow
@each_game
def test_every_step_of_many_games_follows_the_rules(file: Path) -> None:
    table, count, limit = table_for(file), 50, 40
    game, many, random = (
        table.game,
        VectorEnv(table, 50, limit=40, seed=4),
        np.random.default_rng(3),
    )
    observe, starts, plies = observer(game), after_chance(game.start()), [0] * count
    batch, before = many.reset(), list[Position]()
    for turn in range(60):
        before = [many.position(at) for at in range(count)]
        seen = many.observe()
        for at, position in enumerate(before):
            assert position.to_move == batch.seats[at]
            legal = [game.ACTIONS[action] for action in batch.masks[at].nonzero()[0]]
            assert sorted(legal) == sorted(position.moves())
            assert np.array_equal(seen[at], observe(position, position.to_move))
        actions = many.sample(random)
        if turn % 10 == 9:  # also illegal and invalid actions
            actions = random.integers(-3, len(game.ACTIONS) + 3, count)
        batch = many.step(actions)
        for at, position in enumerate(before):
            reached = table.positions[int(batch.reached[at])]
            known = 0 <= actions[at] < len(game.ACTIONS)
            move = game.ACTIONS[actions[at]] if known else ""
            if move not in position.moves():
                rewards = [0.0, 0.0]
                rewards[position.to_move] = -game.largest_payoff
                assert batch.illegal[at]
                assert batch.terminated[at]
                assert reached == position
            else:
                outcome = reached.outcome()
                rewards = list(outcome.payoffs if outcome else (0, 0))
                assert not batch.illegal[at]
                after = position.play(move)
                # A game may be cut between a move and the chance outcome after it.
                assert reached in after_chance(after) or (batch.truncated[at] and reached == after)
                assert batch.terminated[at] == (outcome is not None)
            assert batch.rewards[at].tolist() == rewards
            over = batch.terminated[at] or batch.truncated[at]
            assert many.position(at) in starts if over else many.position(at) == reached
            plies[at] = 0 if over else plies[at] + 1
            assert plies[at] < limit


@each_game
def test_many_games_have_correct_payoffs(file: Path) -> None:
    table = table_for(file)
    exact = expectation(table, joint_policy(table, ("random", "random")))
    value = exact.values[0] * (1 - 2 * (table.mover[0] == 1))
    many, random = VectorEnv(table, 20_000, seed=1), np.random.default_rng(2)
    waiting, paid = np.ones(20_000, np.bool_), np.zeros(20_000)
    while waiting.any():  # only the first game in each slot: otherwise short games count more
        batch = many.step(many.sample(random))
        ended = waiting & batch.terminated
        paid[ended] = batch.rewards[ended, 0]
        waiting &= ~ended
    assert abs(paid.mean() - value) <= 4 * paid.std() / sqrt(len(paid))


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_chance_outcomes_depend_on_the_seed_and_not_on_threads(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_for(named(name))
    monkeypatch.setattr("duelbook.research.vector_env.MIN_THREADED_GAMES", 10_000)

    def reached(seed: int, threads: int) -> Any:  # noqa: ANN401 # an array
        monkeypatch.setattr("duelbook.research.vector_env.cores", lambda: threads)
        many, random = VectorEnv(table, 15_000, seed=seed), np.random.default_rng(1)
        return np.stack([many.step(many.sample(random)).reached for _ in range(5)])

    assert np.array_equal(reached(7, 1), reached(7, 3))
    assert not np.array_equal(reached(7, 1), reached(8, 1))
