"""The games as Gymnasium environments: one seat, with a player in the other."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Self, SupportsFloat

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import duelbook
from duelbook import HIDDEN, DuelbookError, IllegalMove, InvalidMove, Position, players
from duelbook.adapters.gymnasium import DuelEnv, register
from duelbook.catalog import registry
from duelbook.encoding.observations import observer
from duelbook.games.token_tactics import TokenTactics
from duelbook.games.tower_defense_duel import TowerDefenseDuel
from strategies import GAMES

pytestmark = pytest.mark.integration

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
CAPTURE = duelbook.load("capture")
Episode = list[tuple[bytes, bytes, float, bool, bool]]


def identity(game: type[Position]) -> str:
    return f"duelbook/{game.__name__}-v0"


def number(game: type[Position], move: str) -> int:
    return game.ACTIONS.index(move)


@dataclass
class Scripted:
    """Plays these moves, then the first legal one; stores the views that it gets."""

    moves: list[str] = field(default_factory=list)
    views: list[Position] = field(default_factory=list)

    def choose(self, view: Position, random: Random) -> str:
        self.views.append(view)
        return self.moves.pop(0) if self.moves else view.moves()[0]


@dataclass(frozen=True, slots=True)
class Sprint(Position):
    """The player who starts takes two steps and wins."""

    ACTIONS = ("step", "rest")
    left: int = 2

    def moves(self) -> list[str]:
        return ["step"] if self.left else []

    def apply(self, move: str) -> Self:
        return replace(self, left=self.left - 1)

    def winner(self) -> int | None:
        return None if self.left else self.to_move


def at_random(environment: gymnasium.Env[Any, Any], seed: int) -> Episode:
    """Return everything observed in a random episode."""
    draw = Random(seed)
    seen: Episode = []
    observation, info = environment.reset(seed=seed)
    reward: SupportsFloat = 0.0
    over = cut = False
    while True:
        mask = info["action_mask"]
        seen.append((observation.tobytes(), mask.tobytes(), float(reward), over, cut))
        if over or cut:
            return seen
        action = draw.choice(mask.nonzero()[0].tolist())
        observation, reward, over, cut, info = environment.step(action)


# Gymnasium's own tests ----------------------------------------------------------------------


@each_game
def test_an_episode_passes_the_checks_of_make(game: type[Position]) -> None:
    environment = gymnasium.make(identity(game))
    *before, (_, mask, reward, over, cut) = at_random(environment, seed=3)
    assert (abs(reward), over, cut) == (1, True, False)
    assert set(mask) == {0}
    assert all((reward, over, cut) == (0, False, False) for _, _, reward, over, cut in before)


# Registration -------------------------------------------------------------------------------


@each_game
def test_every_game_is_registered(game: type[Position]) -> None:
    for name in (identity(game), f"duelbook.adapters.gymnasium:{identity(game)}"):
        environment = gymnasium.make(name)
        assert isinstance(environment.unwrapped, DuelEnv)
        assert environment.unwrapped.game is game
        assert environment.spec
        assert environment.spec.max_episode_steps is None


@contextmanager
def offered(game: type[Position], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Offer a game as another package would."""
    monkeypatch.setattr(registry, "_installed", lambda: {game.slug: lambda: game})
    yield
    gymnasium.registry.pop(identity(game))


def test_a_game_of_another_package_is_registered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with offered(Sprint, monkeypatch):
        register()
        environment = gymnasium.make("duelbook/Sprint-v0").unwrapped
        assert isinstance(environment, DuelEnv)
        assert environment.game is Sprint
        check_env(environment)


# Observations and actions -------------------------------------------------------------------


@each_game
@pytest.mark.parametrize("seat", [0, 1])
def test_agent_observes_its_view_and_its_moves(game: type[Position], seat: int) -> None:
    opponent = Scripted()
    environment = DuelEnv(game, opponent=opponent, seat=seat)
    observation, info = environment.reset()
    position = opponent.views[-1].play(opponent.views[-1].moves()[0]) if seat else game()
    assert np.array_equal(observation, observer(game)(position, seat))
    assert info["action_mask"].dtype == np.int8
    legal = [game.ACTIONS[at] for at in info["action_mask"].nonzero()[0]]
    assert sorted(legal) == sorted(position.moves())
    assert environment.action_masks().dtype == np.bool_
    assert np.array_equal(environment.action_masks(), info["action_mask"])


def test_wrapped_environment_offers_action_masks_to_maskable_ppo() -> None:
    environment = gymnasium.make(identity(TowerDefenseDuel))
    environment.reset()
    assert environment.get_wrapper_attr("action_masks")().tolist() == [True, True, True, False]


def test_observations_do_not_depend_on_the_hidden_attack(
    capsys: pytest.CaptureFixture[str],
) -> None:
    known = set()
    for tokens in range(1, 11):
        shown = []
        for mode in ("ansi", "human"):
            opponent = Scripted([f"attack {tokens}"])
            environment = DuelEnv(TokenTactics, opponent=opponent, seat=1, render_mode=mode)
            observation, info = environment.reset()
            shown += [str(environment.render()), capsys.readouterr().out]
        mask = info.pop("action_mask")
        known.add((observation.tobytes(), mask.tobytes(), str(info), *shown))
    assert len(known) == 1


@each_game
def test_the_opponent_gets_only_its_view(game: type[Position]) -> None:
    for seat in (0, 1):
        opponent = Scripted()
        at_random(DuelEnv(game, opponent=opponent, seat=seat), seed=4)
        assert opponent.views
        for view in opponent.views:
            assert view.to_move == 1 - seat
            assert view == view.view(1 - seat)


def test_the_opponent_does_not_depend_on_the_hidden_attack() -> None:
    opponent = Scripted()
    environment = DuelEnv(TokenTactics, opponent=opponent)
    environment.reset()
    environment.step(number(TokenTactics, "attack 3"))
    assert opponent.views[0] == TokenTactics(to_move=1, commit=HIDDEN)


def test_the_opponent_may_move_several_times_in_a_row() -> None:
    opponent = Scripted(["defend 0", "fortify"])
    environment = DuelEnv(TokenTactics, opponent=opponent)
    environment.reset()
    observation, *_ = environment.step(number(TokenTactics, "attack 1"))
    # The attack took a token and was spent; the defender then fortified.
    position = TokenTactics(to_move=0, reserves=(10, 10))
    assert np.array_equal(observation, observer(TokenTactics)(position, 0))
    assert len(opponent.views) == 2


def test_the_same_seed_gives_the_same_episode() -> None:
    for game in GAMES:
        environments = gymnasium.make(identity(game)), gymnasium.make(identity(game))
        assert at_random(environments[0], seed=7) == at_random(environments[1], seed=7)
    episodes = {str(at_random(environments[0], seed)) for seed in range(5)}
    assert len(episodes) == 5


def test_episodes_without_a_seed_differ_and_can_be_repeated() -> None:
    def openings() -> list[bytes]:
        environment = DuelEnv("galaxy", seat=1)
        return [environment.reset(seed=at)[0].tobytes() for at in (1, None, None, None)]

    assert openings() == openings()
    assert len(set(openings())) > 1


# End of a game ------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "reward"), [(0, 1.0), (1, -1.0)])
def test_the_winner_gets_1_and_the_loser_minus_1(seat: int, reward: float) -> None:
    moves = [*["move 2", "move 1"] * 4, "move 2"]
    environment = DuelEnv(CAPTURE, opponent=Scripted(moves[1 - seat :: 2]), seat=seat)
    environment.reset()
    steps = [environment.step(number(CAPTURE, move)) for move in moves[seat::2]]
    assert [step[1:4] for step in steps[:-1]] == [(0.0, False, False)] * (len(steps) - 1)
    observation, last_reward, *over, info = steps[-1]
    assert (last_reward, *over) == (reward, True, False)
    assert type(last_reward) is float
    assert set(info) == {"action_mask"}
    assert not info["action_mask"].any()
    assert not environment.action_masks().any()
    assert observation in environment.observation_space


def test_a_perfect_opponent_wins_a_won_game() -> None:
    environment = gymnasium.make(identity(TowerDefenseDuel), opponent="perfect", seat=1)
    for seed in range(5):
        assert at_random(environment, seed)[-1][2] == -1


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_is_truncated_at_its_limit(seat: int) -> None:
    environment = DuelEnv("galaxy", seat=seat, limit=3)
    episode = at_random(environment, seed=1)
    assert [step[2:] for step in episode] == [
        *[(0, False, False)] * (2 - seat),
        (0, False, True),
    ]
    assert set(episode[-1][1]) == {0}


def test_a_game_won_with_the_last_ply_allowed_is_won() -> None:
    environment = DuelEnv(Sprint, limit=2)
    environment.reset()
    assert environment.step(0)[1:4] == (0, False, False)
    assert environment.step(0)[1:4] == (1, True, False)


@pytest.mark.parametrize(("limit", "end"), [(9, (-1, True, False)), (1, (0, False, True))])
def test_a_game_that_the_opponent_ends_first_ends_with_any_action(
    limit: int, end: tuple[float, bool, bool]
) -> None:
    environment = DuelEnv(Sprint, first=1, limit=limit)
    _, info = environment.reset()
    assert not info["action_mask"].any()
    assert environment.step(0)[1:4] == end


def test_an_illegal_action_loses_and_is_explained() -> None:
    environment = gymnasium.make(identity(TowerDefenseDuel), opponent=Scripted(["build 1"]))
    environment.reset()
    environment.step(number(TowerDefenseDuel, "build 1"))
    _, reward, over, cut, info = environment.step(number(TowerDefenseDuel, "attack"))
    assert (reward, over, cut) == (-1.0, True, False)
    assert info["illegal"] == (
        "Player 2's tower has only 1 unit: you can attack from 3 units up, so you must build."
    )
    assert not info["action_mask"].any()
    with pytest.raises(DuelbookError, match="No game is in progress: reset"):
        environment.step(0)


def test_an_invalid_action_is_refused_and_the_game_continues() -> None:
    environment = DuelEnv(TowerDefenseDuel)
    environment.reset()
    for action in (4, -1, 1.0, None, "attack"):
        with pytest.raises(InvalidMove, match="must be a number from 0 to 3, not"):
            environment.step(action)  # type: ignore[arg-type] # which is the point
    for zero in (0, np.int8(0), np.array(0)):
        environment.reset()
        assert environment.step(zero)[1] == 0


def test_a_step_needs_a_game_in_progress() -> None:
    environment = DuelEnv(TowerDefenseDuel)
    with pytest.raises(DuelbookError, match="No game is in progress: reset"):
        environment.step(0)
    at_random(environment, seed=1)
    with pytest.raises(DuelbookError, match="No game is in progress: reset"):
        environment.step(0)


def test_an_illegal_move_of_the_opponent_is_refused() -> None:
    environment = DuelEnv(TowerDefenseDuel, opponent=Scripted(["attack"]), seat=1)
    with pytest.raises(IllegalMove, match="has only 0 units"):
        environment.reset()


# Arguments ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": None}, "A game must be a class derived from Position, or a name"),
        ({"game": "tower", "seat": 2}, "A seat must be 0 or 1, not 2"),
        ({"game": "tower", "first": -1}, "The first seat must be 0 or 1, not -1"),
        ({"game": "token", "first": 1}, "the rules say that Player 1 starts"),
        ({"game": "tower", "limit": 0}, "The limit must be 1 ply or more, not 0"),
        ({"game": "tower", "render_mode": "rgb_array"}, "The render mode must be human or ansi"),
        ({"game": "tower", "opponent": "nobody"}, "There is no player 'nobody'"),
    ],
)
def test_invalid_arguments_are_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(DuelbookError, match=reason):
        DuelEnv(**arguments)


def test_any_player_can_be_the_opponent() -> None:
    for opponent in ("random", "greedy", "minimax:2", "mcts:5", "easy", players.make("greedy")):
        assert at_random(DuelEnv("tower", opponent=opponent), seed=1)[-1][3]


def pickled(original: DuelEnv) -> DuelEnv:
    copy: DuelEnv = pickle.loads(pickle.dumps(original))  # noqa: S301 # our own
    return copy


@pytest.mark.parametrize("copied", [deepcopy, pickled])
def test_a_copy_continues_from_the_same_position(copied: Any) -> None:  # noqa: ANN401 # two kinds
    original = DuelEnv("tower")
    original.reset(seed=1)
    original.step(1)
    copy = copied(original)
    for _ in range(3):
        step, step_of_copy = original.step(0), copy.step(0)
        assert step[0].tobytes() == step_of_copy[0].tobytes()


# Rendering ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [None, "ansi"])
def test_nothing_is_printed_outside_human_mode(
    mode: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = DuelEnv("tower", render_mode=mode)
    at_random(environment, seed=1)
    environment.render()
    assert capsys.readouterr().out == ""


def test_human_mode_prints_the_moves_and_the_board(
    capsys: pytest.CaptureFixture[str],
) -> None:
    environment = DuelEnv("tower", opponent=Scripted(["build 4"]), render_mode="human")
    environment.reset()
    environment.step(1)
    assert capsys.readouterr().out == (
        "Player 1 Tower Height: 0\nPlayer 2 Tower Height: 0\n"
        "Player 1 builds 2 units.\nYour tower height is now 2.\n"
        "Player 2 builds 4 units.\nYour tower height is now 4.\n"
        "Player 1 Tower Height: 2\nPlayer 2 Tower Height: 4\n"
    )


def test_the_board_is_returned_as_text() -> None:
    environment = gymnasium.make(identity(TowerDefenseDuel), render_mode="ansi")
    environment.reset()
    assert environment.render() == TowerDefenseDuel().board()


def test_an_opponent_that_cannot_choose_is_refused() -> None:
    for opponent in (None, lambda view, random: view.moves()[0]):
        with pytest.raises(DuelbookError, match="A player must be a name or have choose"):
            DuelEnv("tower-defense-duel", opponent=opponent)  # type: ignore[arg-type] # on purpose
