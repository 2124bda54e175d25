"""The games as PettingZoo environments: PettingZoo's own tests, and the rules."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from hypothesis import assume, given
from pettingzoo import AECEnv
from pettingzoo import test as checks
from pettingzoo.utils import wrappers

import duelbook
from duelbook import DuelbookError, IllegalMove, InvalidMove, Match, Position
from duelbook.adapters.pettingzoo import env, raw_env
from duelbook.adapters.spaces import Actions
from duelbook.encoding.observations import observer
from duelbook.games.tower_defense_duel import TowerDefenseDuel
from duelbook.position import check_first
from strategies import GAMES, matches

pytestmark = pytest.mark.integration

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))

TOKEN = duelbook.load("token")
CAPTURE = duelbook.load("capture")


def number(game: type[Position], move: str) -> int:
    return game.ACTIONS.index(move)


def after(environment: AECEnv, *moves: str) -> AECEnv:
    """Return the environment after these moves."""
    environment.reset()
    for move in moves:
        environment.step(number(environment.unwrapped.game, move))
    return environment


def at_random(environment: AECEnv, seed: int) -> list[tuple[Any, ...]]:
    """Return everything observed in a random episode."""
    for agent in environment.possible_agents:
        environment.action_space(agent).seed(seed)
    seen: list[tuple[Any, ...]] = []
    environment.reset(seed=seed)
    for agent in environment.agent_iter():
        look, *rest = environment.last()
        seen.append((agent, look["observation"].tobytes(), look["action_mask"].tobytes(), *rest))
        over = environment.terminations[agent] or environment.truncations[agent]
        draw = environment.action_space(agent).sample
        environment.step(None if over else draw(look["action_mask"]))
    return seen


# PettingZoo's own tests ---------------------------------------------------------------------


@each_game
def test_the_same_seed_gives_the_same_game(game: type[Position]) -> None:
    assert at_random(env(game), seed=5) == at_random(env(game), seed=5)


@each_game
def test_render_modes_follow_pettingzoo(game: type[Position]) -> None:
    checks.render_test(partial(env, game))


def test_observations_are_not_images(capsys: pytest.CaptureFixture[str]) -> None:
    checks.test_save_obs(env(TowerDefenseDuel))
    assert "did not save the observations" in capsys.readouterr().out


# Observations and actions -------------------------------------------------------------------


@given(matches())
def test_the_agent_to_move_sees_its_view_and_its_moves(match: Match) -> None:
    game, position = type(match.position), match.position
    assume(not (match.first and game.player_1_starts))
    environment = after(env(game, first=match.first), *match.moves)
    for seat, agent in enumerate(environment.possible_agents):
        look = environment.observe(agent)
        assert look in environment.observation_space(agent)
        assert np.array_equal(look["observation"], observer(game)(position, seat))
        legal = [game.ACTIONS[at] for at in look["action_mask"].nonzero()[0]]
        moves = position.moves() if seat == position.to_move else []
        assert sorted(legal) == sorted(moves)


def test_callers_may_change_the_returned_arrays() -> None:
    environment = after(env(TowerDefenseDuel))
    first = environment.observe("player_0")
    first["observation"][:] = 7
    first["action_mask"][:] = 7
    again = environment.observe("player_0")
    assert again in environment.observation_space("player_0")
    environment.step(0)
    assert (first["action_mask"] == 7).all()


def test_observations_do_not_depend_on_the_hidden_attack(
    capsys: pytest.CaptureFixture[str],
) -> None:
    defender_observations, attacker_observations = set(), set()
    for tokens in range(1, 11):
        text = after(env(TOKEN, render_mode="ansi"), f"attack {tokens}").render()
        environment = after(env(TOKEN, render_mode="human"), f"attack {tokens}")
        environment.render()
        look, *rest = environment.last()
        arrays = look["observation"].tobytes(), look["action_mask"].tobytes()
        defender_observations.add(
            (*arrays, str(rest), str(environment.infos), text, capsys.readouterr().out)
        )
        attacker_observations.add(environment.observe("player_0")["observation"].tobytes())
    assert len(defender_observations) == 1
    assert len(attacker_observations) == 10


def test_a_seat_may_move_twice_in_a_row() -> None:
    environment = after(env(TOKEN), "attack 3", "defend 2")
    assert environment.agent_selection == "player_1"  # the defender attacks next
    assert environment.observe("player_1")["action_mask"][number(TOKEN, "attack 1")] == 1
    assert not environment.observe("player_0")["action_mask"].any()


def test_the_action_space_samples_and_contains_like_gymnasiums() -> None:
    actions, discrete = Actions(5, seed=3), Discrete(5, seed=3)
    masks = [None, *(np.array(row, np.int8) for row in ([1, 0, 1, 1, 0], [0, 0, 0, 0, 1], [0] * 5))]
    for mask in masks * 20:
        drawn = actions.sample(mask), discrete.sample(mask)
        assert drawn[0] == drawn[1]
        assert type(drawn[0]) is type(drawn[1])
    shares = np.array([0.5, 0, 0, 0.5, 0])
    assert actions.sample(probability=shares) == discrete.sample(probability=shares)
    for thing in (0, 4, 5, -1, np.int64(4), np.int64(5), np.int32(-1), 1.0, "1", None):
        assert actions.contains(thing) == discrete.contains(thing)
    assert actions == discrete
    with pytest.raises(AssertionError, match="shape"):
        actions.sample(np.ones(3, np.int8))


# End of a game ------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1])
def test_the_winner_gets_1_and_the_loser_minus_1(first: int) -> None:
    environment = after(env(CAPTURE, first=first), *["move 2", "move 1"] * 4, "move 2")
    winner = environment.possible_agents[first]
    assert environment.rewards == {
        agent: 1 if agent == winner else -1 for agent in environment.possible_agents
    }
    assert set(environment.terminations.values()) == {True}
    assert set(environment.truncations.values()) == {False}
    for agent in environment.possible_agents:
        assert not environment.observe(agent)["action_mask"].any()
    rewards = {agent: environment.last()[1] for agent in _leaving(environment)}
    assert rewards[winner] == 1
    assert sum(rewards.values()) == 0
    assert environment.agents == []


def _leaving(environment: AECEnv) -> Iterator[str]:
    for agent in environment.agent_iter():
        yield agent
        environment.step(None)


@each_game
def test_a_game_is_truncated_at_its_limit(game: type[Position]) -> None:
    seen = at_random(env(game, limit=2), seed=1)
    assert [(reward, over, cut) for _, _, _, reward, over, cut, _ in seen] == [
        *[(0, False, False)] * 2,
        *[(0, False, True)] * 2,
    ]
    assert not any(b"\1" in mask for _, _, mask, *_ in seen[2:])


def test_a_game_won_with_the_last_ply_allowed_is_won() -> None:
    moves = *["move 2", "move 1"] * 4, "move 2"
    environment = after(env(CAPTURE, limit=len(moves)), *moves)
    assert environment.rewards["player_0"] == 1
    assert set(environment.truncations.values()) == {False}


def test_an_illegal_action_is_treated_as_pettingzoo_does(caplog: pytest.LogCaptureFixture) -> None:
    raw = raw_env(TowerDefenseDuel)
    wrapped = wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1))
    )
    seen = []
    for environment in (env(TowerDefenseDuel), wrapped):
        after(environment, "build 2", "attack")
        seen.append([(agent, *environment.last()[1:]) for agent in _leaving(environment)])
        with pytest.raises(AssertionError, match="not in action space"):
            after(environment).step(4)
    assert seen[0] == seen[1] == [("player_0", 0, True, True, {}), ("player_1", -1, True, True, {})]


def test_no_step_is_possible_after_an_illegal_action() -> None:
    environment = after(env(TowerDefenseDuel), "attack")
    for agent in environment.possible_agents:
        assert not environment.observe(agent)["action_mask"].any()


def test_without_wrappers_an_illegal_action_is_refused_with_the_reason() -> None:
    environment = after(raw_env(TowerDefenseDuel), "build 2")
    with pytest.raises(IllegalMove, match="has only 2 units: you can attack from 3 units up"):
        environment.step(number(TowerDefenseDuel, "attack"))
    for action in (4, -1, 1.0, None, "attack", np.array([1, 2])):
        with pytest.raises(InvalidMove, match=r"An action of .* must be a number from 0 to 3, not"):
            environment.step(action)
    assert environment.agent_selection == "player_1"


def test_the_state_cannot_be_read_before_the_first_reset() -> None:
    environment = env(TowerDefenseDuel)
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(environment, name)
    for call in (environment.render, partial(environment.step, 0), environment.agent_iter):
        with pytest.raises(AssertionError, match="reset"):
            call()


# Arguments ----------------------------------------------------------------------------------


@each_game
def test_a_game_can_be_a_class_or_a_name(game: type[Position]) -> None:
    name = f"duelbook_{game.slug.replace('-', '_')}_v0"
    for environment in (env(game), env(game.slug), raw_env(game.slug)):
        assert str(environment) == name
        assert environment.metadata == {
            "name": name,
            "render_modes": ["human", "ansi"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        assert environment.possible_agents == ["player_0", "player_1"]


@each_game
def test_the_first_player_can_be_chosen_unless_the_book_fixes_it(game: type[Position]) -> None:
    try:
        check_first(game, 1)
    except DuelbookError as refusal:
        with pytest.raises(DuelbookError, match=str(refusal)):
            env(game, first=1)
    else:
        assert after(env(game, first=1)).agent_selection == "player_1"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": 7}, "A game must be a class derived from Position, or a name, not 7"),
        ({"game": TowerDefenseDuel, "first": 2}, "The first seat must be 0 or 1, not 2"),
        ({"game": TowerDefenseDuel, "limit": 0}, "The limit must be 1 ply or more, not 0"),
        (
            {"game": TowerDefenseDuel, "limit": None},
            "The limit must be 1 ply or more, not None",
        ),
        (
            {"game": TowerDefenseDuel, "render_mode": "rgb_array"},
            "The render mode must be human or ansi",
        ),
    ],
)
def test_invalid_arguments_are_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(DuelbookError, match=reason):
        env(**arguments)


def pickled(original: AECEnv) -> AECEnv:
    return pickle.loads(pickle.dumps(original))  # noqa: S301 # our own


@pytest.mark.parametrize("copied", [deepcopy, pickled])
def test_a_copy_continues_from_the_same_position(copied: Callable[[AECEnv], AECEnv]) -> None:
    original = after(env(TowerDefenseDuel), "build 2", "build 4")
    copy = copied(original)
    original.step(number(TowerDefenseDuel, "attack"))
    assert copy.agent_selection == "player_0"
    assert copy.observe("player_0")["observation"][4] == np.float32(4 / 18)
    copy.reset()
    assert at_random(copy, seed=2) == at_random(original, seed=2)


# Rendering ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [None, "ansi"])
def test_nothing_is_printed_outside_human_mode(
    mode: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = env(TowerDefenseDuel, render_mode=mode)
    at_random(environment, seed=1)
    after(environment, "build 2").render()
    assert capsys.readouterr().out == ""


def test_human_mode_prints_the_move_and_the_board(
    capsys: pytest.CaptureFixture[str],
) -> None:
    environment = after(env(TowerDefenseDuel, render_mode="human"), "build 2")
    shown = capsys.readouterr().out
    assert shown == (
        "Player 1 Tower Height: 0\nPlayer 2 Tower Height: 0\n"
        "Player 1 builds 2 units.\nYour tower height is now 2.\n"
        "Player 1 Tower Height: 2\nPlayer 2 Tower Height: 0\n"
    )
    assert environment.render() is None
    assert (
        after(env(TowerDefenseDuel, render_mode="ansi"), "build 2").render()
        == TowerDefenseDuel(to_move=1, towers=(2, 0)).board()
    )
