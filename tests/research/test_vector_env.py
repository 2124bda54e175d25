"""VectorEnv: many games at once follow the same rules as single games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray

import duelbook
from duelbook import DuelbookError, Position, VectorEnv
from duelbook.encoding.observations import observer
from shared_solutions import shared_table
from strategies import GAMES

pytestmark = pytest.mark.integration


@dataclass(frozen=True, slots=True)
class Wide(Position):
    """Has more actions than two words hold, lists them backwards, and lets a seat move again."""

    ACTIONS = tuple(f"add {n}" for n in range(150))
    total: int = 0

    def moves(self) -> list[str]:
        if self.total >= 400:
            return []
        return [f"add {n}" for n in range(149, 0, -1) if (self.total + n) % 7 != 3]

    def apply(self, move: str) -> Self:
        n = int(move.split()[1])
        to_move = self.to_move if n % 5 == 0 else 1 - self.to_move
        return replace(self, to_move=to_move, total=self.total + n)

    def winner(self) -> int | None:
        return None if self.total < 400 else self.to_move


@pytest.mark.parametrize("game", [*GAMES, Wide], ids=lambda game: str(game.slug))
def test_every_step_follows_the_rules(game: type[Position]) -> None:
    count, limit = 60, 25
    env = VectorEnv(shared_table(game), count, limit=limit)
    random, observe = np.random.default_rng(7), observer(game)
    positions, plies = [game() for _ in range(count)], [0] * count
    batch = env.reset()
    for turn in range(60):
        actions = env.sample(random)
        if turn % 10 == 9:  # also illegal and invalid actions
            actions = random.integers(-3, len(game.ACTIONS) + 3, count)
        seen = env.observe()
        opposite = env.observe(1 - batch.seats)
        for at, position in enumerate(positions):
            legal = set(position.moves())
            assert batch.masks[at].tolist() == [move in legal for move in game.ACTIONS]
            assert batch.seats[at] == position.to_move
            assert env.position(at) == position
            assert np.array_equal(seen[at], observe(position, position.to_move))
            assert np.array_equal(opposite[at], observe(position, 1 - position.to_move))
        batch = env.step(actions)
        for at, position in enumerate(positions):
            in_range = 0 <= actions[at] < len(game.ACTIONS)
            move = game.ACTIONS[actions[at]] if in_range else ""
            if move not in position.moves():
                expected = [0.0, 0.0]
                expected[position.to_move] = -1.0
                assert batch.illegal[at]
                assert batch.terminated[at]
                assert batch.rewards[at].tolist() == expected
                assert env.table.positions[int(batch.reached[at])] == position
                positions[at], plies[at] = game(), 0
                continue
            after = position.play(move)
            plies[at] += 1
            outcome = after.outcome()
            rewards = list(outcome.payoffs) if outcome else [0, 0]
            assert batch.rewards[at].tolist() == rewards
            assert not batch.illegal[at]
            assert batch.terminated[at] == (outcome is not None)
            assert batch.truncated[at] == (outcome is None and plies[at] == limit)
            assert env.table.positions[int(batch.reached[at])] == after
            over = batch.terminated[at] or batch.truncated[at]
            positions[at], plies[at] = (game(), 0) if over else (after, plies[at])


def test_defender_does_not_observe_the_hidden_attack() -> None:
    game = duelbook.load("token")
    env = VectorEnv(game, 10)
    env.step([game.ACTIONS.index(f"attack {n}") for n in range(1, 11)])
    assert len(np.unique(env.observe(), axis=0)) == 1
    assert len(np.unique(env.observe(0), axis=0)) == 10


def test_threads_do_not_change_the_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("duelbook.research.vector_env.cores", lambda: 4)
    monkeypatch.setattr("duelbook.research.vector_env.MIN_THREADED_GAMES", 20_000)
    few, many = VectorEnv("tower", 500), VectorEnv("tower", 25_000)
    actions = np.tile(few.sample(np.random.default_rng(0)), 50)
    for _ in range(8):
        few_steps, many_steps = few.step(actions[:500]), many.step(actions)
        assert np.array_equal(np.tile(few_steps.masks, (50, 1)), many_steps.masks)
        assert np.array_equal(np.tile(few_steps.rewards, (50, 1)), many_steps.rewards)
        assert np.array_equal(np.tile(few_steps.reached, 50), many_steps.reached)


def test_samples_do_not_depend_on_the_number_of_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("duelbook.research.vector_env.MIN_THREADED_GAMES", 20_000)
    drawn = []
    for threads in (1, 4):
        monkeypatch.setattr("duelbook.research.vector_env.cores", lambda: threads)  # noqa: B023
        env = VectorEnv("tower", 25_001)
        drawn.append(env.sample(np.random.default_rng(3)))
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(env.sample(np.random.default_rng(4)), drawn[0])


def test_next_step_does_not_change_a_returned_batch() -> None:
    env = VectorEnv("tower", 3)
    batch = env.step([0, 1, 2])
    masks, reached = batch.masks.copy(), batch.reached.copy()
    env.step([0, 0, 0])
    assert np.array_equal(batch.masks, masks)
    assert np.array_equal(batch.reached, reached)


def test_referenced_array_is_not_reused() -> None:
    env = VectorEnv("tower", 50)
    copies: list[tuple[NDArray[Any], NDArray[Any]]] = []
    for turn in range(40):
        batch = env.step(np.full(50, turn % 3))
        views = batch.masks[0], batch.terminated, batch.rewards[:, 1], batch.reached.view(np.uint8)
        copies += [(view, view.copy()) for view in views]
    assert all(np.array_equal(view, copy) for view, copy in copies)


def test_unreferenced_array_is_reused() -> None:
    env = VectorEnv("tower", 50)
    places = {env.step(np.zeros(50, int)).masks.ctypes.data for _ in range(20)}
    assert len(places) < 5


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.MT19937, np.random.SFC64])
def test_legal_actions_are_sampled_uniformly(kind: type[np.random.BitGenerator]) -> None:
    env = VectorEnv("tower", 30_001)
    drawn = env.sample(np.random.Generator(kind(1)))
    for half in (drawn[::2], drawn[1::2]):
        counts = np.bincount(half, minlength=4)
        assert counts[3] == 0
        assert np.abs(counts[:3] / len(half) - 1 / 3).max() < 0.02


@dataclass(frozen=True, slots=True)
class Over(Position):
    """Is over before it begins."""

    ACTIONS = ("go",)

    def moves(self) -> list[str]:
        return []

    def winner(self) -> int | None:
        return 0


def test_game_that_is_over_at_the_start_is_refused() -> None:
    with pytest.raises(DuelbookError, match="Over is over before it begins"):
        VectorEnv(Over, 3)
    with pytest.raises(DuelbookError, match="Over is over before it begins"):
        duelbook.simulate(Over)


def test_the_last_position_of_a_game_can_be_observed() -> None:
    env = VectorEnv("tower", 1, limit=1)
    batch = env.step([2])
    assert batch.truncated.tolist() == [True]
    assert env.observe(0, batch.reached)[0] == pytest.approx([0, 0, 1, 4 / 18, 0])
    assert env.observe(0)[0].tolist() == [0, 1, 0, 0, 0]


def test_an_invalid_batch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    env = VectorEnv("tower", 3)
    for actions in ([0, 0], [[0, 0, 0]], [0.5, 0, 0], ["a", "b", "c"]):
        with pytest.raises(DuelbookError, match="A step takes 3 integers"):
            env.step(actions)
    for wrong in (0, 2.5, True):
        with pytest.raises(DuelbookError, match="The number of games must be an integer from 1"):
            VectorEnv("tower", wrong)  # type: ignore[arg-type] # on purpose
    for seats in (2, -1, 0.5, [0, 1]):
        with pytest.raises(DuelbookError, match="A seat must be 0 or 1"):
            env.observe(seats)
    with pytest.raises(DuelbookError, match="Pass a generator: numpy"):
        env.sample(1)  # type: ignore[arg-type] # on purpose
    with pytest.raises(DuelbookError, match="the rules say that Player 1 starts"):
        VectorEnv("token", 3, first=1)
    monkeypatch.setattr("duelbook.research.vector_env.find_spec", lambda _: None)
    with pytest.raises(DuelbookError, match="VectorEnv needs numba: pip install"):
        VectorEnv("tower", 3)
