"""The games inside OpenSpiel, tried with its own tests and algorithms."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import numpy as np
import pyspiel
import pytest
from hypothesis import given, reject
from open_spiel.python import policy as policies
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import (
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    minimax,
    outcome_sampling_mccfr,
)

import duelbook
from duelbook import HIDDEN, DuelbookError, Match, Position
from duelbook.adapters.openspiel import register
from duelbook.encoding.observations import observer
from duelbook.games.token_tactics import TokenTactics
from duelbook.games.tower_defense_duel import TowerDefenseDuel
from duelbook.hidden import Hidden
from duelbook.secrecy import keeps_secrets
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.search import Search
from strategies import GAMES, matches

pytestmark = pytest.mark.integration

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
OPEN = [game for game in GAMES if not keeps_secrets(game)]
SMALL = [game for game in OPEN if not game.vectors]


def load(game: type[Position], **parameters: int) -> Any:  # noqa: ANN401 # OpenSpiel ships no types
    return pyspiel.load_game(f"duelbook_{game.slug.replace('-', '_')}", parameters)


def replay(match: Match, **parameters: int) -> Any:  # noqa: ANN401 # as above
    """Return OpenSpiel's state after the moves of a match."""
    game = type(match.position)
    if match.first and game.player_1_starts:
        reject()  # only hypothesis draws such a match
    state = load(game, first=match.first, **parameters).new_initial_state()
    for move in match.moves:
        state.apply_action(game.ACTIONS.index(move))
    return state


def at_random(game: type[Position], plies: int, seed: int) -> Match:
    """Return a random match with this number of moves, or fewer if it ends earlier."""
    match, rng = Match.begin(game), random.Random(seed)
    while match.winner() is None and len(match.moves) < plies:
        match = match.play(rng.choice(match.position.moves()))
    return match


# The interface ------------------------------------------------------------------------------------


@given(matches())
def test_a_state_is_its_position(match: Match) -> None:
    position, state = match.position, replay(match)
    assert state.position == position
    assert str(state) == repr(position)
    assert state.legal_actions() == sorted(map(position.ACTIONS.index, position.moves()))
    assert [state.action_to_string(n) for n in state.legal_actions()] == sorted(
        position.moves(), key=position.ACTIONS.index
    )
    assert state.is_terminal() == (position.winner() is not None)
    if position.winner() is None:
        assert state.current_player() == position.to_move
        assert state.legal_actions(position.to_move) == state.legal_actions()
        assert state.legal_actions(1 - position.to_move) == []
        assert state.returns() == [0, 0]
    else:
        assert state.returns() == [1 if seat == position.winner() else -1 for seat in (0, 1)]


@given(matches())
def test_a_seat_observes_its_view(match: Match) -> None:
    state = replay(match)
    for seat in (0, 1):
        assert state.observation_string(seat) == repr(match.position.view(seat))
        seen = observer(type(match.position))(match.position, seat)
        assert np.array_equal(np.float32(state.observation_tensor(seat)), seen)


def test_repeated_positions_have_the_same_string() -> None:
    tower = TowerDefenseDuel
    again = Match.begin(tower)
    for move in ["build 4", "build 4", "attack", "attack"]:
        again = again.play(move)
    assert again.position == tower(towers=(1, 1))
    shorter = Match.begin(tower).play("build 1").play("build 1")
    assert str(replay(again)) == str(replay(shorter))
    assert replay(again).information_state_string() != replay(shorter).information_state_string()


@each_game
def test_game_without_hidden_information_has_perfect_information(game: type[Position]) -> None:
    kind = load(game).get_type()
    kinds = pyspiel.GameType.Information
    assert kind.information == (
        kinds.IMPERFECT_INFORMATION if keeps_secrets(game) else kinds.PERFECT_INFORMATION
    )
    assert not kind.provides_information_state_tensor


@each_game
def test_a_game_that_reaches_its_limit_has_no_winner(game: type[Position]) -> None:
    spiel = load(game, limit=3)
    assert spiel.max_game_length() == 3
    state = replay(at_random(game, 2, seed=1), limit=3)
    assert not state.is_terminal()
    longer = (match for seed in range(100) if (match := at_random(game, 3, seed)).winner() is None)
    state = replay(next(longer), limit=3)
    assert state.is_terminal()
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.legal_actions() == []
    assert state.returns() == [0, 0]


def test_a_win_with_the_last_ply_is_a_win() -> None:
    match = Match.begin(TokenTactics).play("attack 4").play("defend 10")
    assert replay(match, limit=2).returns() == [-1, 1]


def test_parameters_can_be_part_of_the_name() -> None:
    game = pyspiel.load_game("duelbook_tower_defense_duel(first=1,limit=7)")
    assert game.new_initial_state().current_player() == 1
    assert game.max_game_length() == 7
    assert str(pyspiel.load_game(str(game))) == str(game)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [({"first": 2}, "first seat must be 0 or 1, not 2"), ({"limit": 0}, "1 ply or more, not 0")],
)
def test_parameters_out_of_range_are_refused(parameters: dict[str, int], reason: str) -> None:
    with pytest.raises(DuelbookError, match=reason):
        load(TokenTactics, **parameters)


def test_a_seat_sees_only_its_own_cards() -> None:
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(DuelbookError, match="public and own private information only"):
        load(TokenTactics).make_py_observer(everything)


@each_game
def test_copies_continue_independently(game: type[Position]) -> None:
    spiel, state = load(game, limit=50), replay(at_random(game, 4, seed=2), limit=50)
    text = pyspiel.serialize_game_and_state(spiel, state)
    copies = [
        state.clone(),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),  # noqa: S301 # our own bytes
        pyspiel.deserialize_game_and_state(text)[1],
        spiel.deserialize_state(state.serialize()),
    ]
    for other in copies:
        assert str(other) == str(state)
        assert other.history() == state.history()
        assert other.get_game().max_game_length() == 50
        for seat in (0, 1):
            assert other.information_state_string(seat) == state.information_state_string(seat)
        if not state.is_terminal():
            other.apply_action(other.legal_actions()[-1])
            assert len(other.history()) == len(state.history()) + 1
    for other in (copy.deepcopy(spiel), pickle.loads(pickle.dumps(spiel))):  # noqa: S301 # as above
        assert str(other) == str(spiel)


def test_a_pickle_loads_in_a_new_process(tmp_path: Path) -> None:
    state = replay(Match.begin(TokenTactics).play("fortify"), limit=9)
    file = tmp_path / "state"
    file.write_bytes(pickle.dumps((state.get_game(), state)))
    code = "import pickle, sys; print(*pickle.load(open(sys.argv[1], 'rb')), sep='\\n')"
    done = subprocess.run(  # noqa: S603 # our own code
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [str(state.get_game()), str(state)]
    assert done.stderr == ""  # Python exits cleanly although OpenSpiel holds games


def test_openspiel_rl_environment_plays_the_game() -> None:
    environment = rl_environment.Environment("duelbook_tower_defense_duel", limit=50)
    step = environment.reset()
    while not step.last():
        seat = step.observations["current_player"]
        step = environment.step([step.observations["legal_actions"][seat][0]])
    assert sorted(step.rewards) == [-1, 1]


# Algorithms ---------------------------------------------------------------------------------------


@pytest.fixture
def value_iteration(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """OpenSpiel's value iteration, which needs cvxpy only for simultaneous moves."""
    if find_spec("cvxpy") is None:
        absent = ModuleType("cvxpy")
        vars(absent)["ECOS"] = None
        monkeypatch.setitem(sys.modules, "cvxpy", absent)
    return import_module("open_spiel.python.algorithms.value_iteration")


@pytest.mark.parametrize("game", SMALL, ids=lambda game: str(game.slug))
def test_openspiel_finds_the_same_value_of_every_position(
    game: type[Position], value_iteration: ModuleType
) -> None:
    values = value_iteration.value_iteration(
        load(game), depth_limit=-1, threshold=0.01, cyclic_game=True
    )
    solution = duelbook.solve(game)
    assert values == {
        repr(position): solution.value(position) * (1 - 2 * position.to_move)
        for position in enumerate_game(game).positions
    }


@pytest.mark.parametrize("game", OPEN, ids=lambda game: str(game.slug))
def test_openspiel_search_finds_the_same_wins(game: type[Position]) -> None:
    ours, depth, decided = Search(game, depth=3), 3, 0
    for seed in range(200):
        full = at_random(game, 100, seed)
        match = at_random(game, len(full.moves) - 1 - seed % 4, seed)
        if len(match.position.moves()) > 12:  # too many moves for a full search
            continue
        state = replay(match)
        value, _ = minimax.alpha_beta_search(
            state.get_game(), state, value_function=lambda _: 0, maximum_depth=depth
        )
        assert value == np.sign(ours.score(match.position))
        decided += value != 0
    assert decided > 20


@dataclass(frozen=True, slots=True)
class Guess(Position):
    """Hide a number that the other must guess; after a 1 that was not, hide and guess once more."""

    ACTIONS = ("hide 1", "hide 2", "guess 1", "guess 2")
    number: int | Hidden | None = None
    rounds: int = 0
    won: int | None = None

    def moves(self) -> list[str]:
        if self.won is not None:
            return []
        return list(self.ACTIONS[:2] if self.number is None else self.ACTIONS[2:])

    def apply(self, move: str) -> Self:
        number = int(move.split()[1])
        if self.number is None:
            return replace(self, number=number, to_move=1)
        again = number == 2 and self.number == 1 and not self.rounds
        won = None if again else int(number == self.number)
        return replace(self, number=None, rounds=self.rounds + 1, won=won, to_move=0)

    def winner(self) -> int | None:
        return self.won

    def view(self, seat: int) -> Self:
        return replace(self, number=HIDDEN) if self.number and seat == 1 else self


class Perfect(policies.Policy):  # type: ignore[misc] # OpenSpiel ships no types
    """Best play by our solution, as an OpenSpiel policy."""

    def __init__(self, game: Any) -> None:  # noqa: ANN401 # as above
        super().__init__(game, [0, 1])
        self.solution = duelbook.solve(Guess)

    def action_probabilities(
        self,
        state: Any,  # noqa: ANN401 # as above
        player_id: int | None = None,
    ) -> dict[int, float]:
        shares = self.solution.strategy(state.position.view(state.current_player()))
        return {Guess.ACTIONS.index(move): share for move, share in shares.items()}


def test_openspiel_cannot_exploit_our_solution_of_a_game_from_a_file() -> None:
    game = pyspiel.load_game(register(Guess))
    assert register(Guess) == "duelbook_guess"  # registering twice is allowed
    perfect, uniform = Perfect(game), policies.UniformRandomPolicy(game)
    assert exploitability.exploitability(game, perfect) == pytest.approx(0, abs=1e-9)
    assert exploitability.exploitability(game, uniform) == pytest.approx(1 / 4)  # guess 2
    start = game.new_initial_state()
    assert expected_game_score.policy_value(start, [perfect, perfect])[0] == pytest.approx(-1 / 3)


def test_openspiel_learns_our_solution() -> None:
    game = pyspiel.load_game(register(Guess))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    learned = solver.average_policy()
    assert exploitability.exploitability(game, learned) < 0.01
    shares = learned.action_probabilities(game.new_initial_state())
    assert shares[0] == pytest.approx(duelbook.solve(Guess).strategy(Guess())["hide 1"], abs=0.02)


@pytest.mark.parametrize(
    "solver",
    [
        external_sampling_mccfr.ExternalSamplingSolver,
        outcome_sampling_mccfr.OutcomeSamplingSolver,
        pyspiel.ExternalSamplingMCCFRSolver,
    ],
    ids=["external", "outcome", "in C++"],
)
def test_openspiel_learns_a_game_with_hidden_information(solver: Any) -> None:  # noqa: ANN401 # as above
    np.random.seed(1)  # OpenSpiel uses the global generator
    game = load(TokenTactics, limit=3)
    learner = solver(game)
    iterate = getattr(learner, "iteration", None) or learner.run_iteration
    for _ in range(100):
        iterate()
    state = game.new_initial_state()
    state.apply_action(TokenTactics.ACTIONS.index("attack 4"))
    shares = learner.average_policy().action_probabilities(state)
    assert max(shares, key=lambda action: float(shares[action])) == TokenTactics.ACTIONS.index(
        "defend 10"
    )


# Information states -------------------------------------------------------------------------------


def experience(match: Match, seat: int) -> tuple[object, ...]:
    """Return the history of a seat: its moves, its views and the texts."""
    past: list[object] = [match.positions[0].view(seat)]
    for before, move, after, text in zip(
        match.positions, match.moves, match.positions[1:], match.move_texts(), strict=False
    ):
        past += [move if before.to_move == seat else None, text, after.view(seat)]
    return tuple(past)


def repeated_information_states(histories: Iterator[Match]) -> int:
    """Check that information states are the same exactly for the same experience.

    Return how often another history has the same state.
    """
    repeated = 0
    text_of: dict[object, str] = {}
    past_of: dict[object, object] = {}
    first: dict[object, tuple[str, ...]] = {}
    for match in histories:
        state = replay(match)
        for seat in (0, 1):
            text, past = state.information_state_string(seat), experience(match, seat)
            assert text_of.setdefault((seat, past), text) == text
            assert past_of.setdefault((seat, text), past) == past
            repeated += first.setdefault((seat, text), match.moves) != match.moves
    return repeated


def every_history(game: type[Position], plies: int) -> Iterator[Match]:
    layer = [Match.begin(game)]
    for _ in range(plies + 1):
        yield from layer
        layer = [match.play(move) for match in layer for move in match.position.moves()]


def few_choices(seed: int) -> Match:
    """Return a match with few different moves, so that many histories look the same."""
    match, rng = Match.begin(TokenTactics), random.Random(seed)
    for _ in range(rng.randrange(7)):
        legal = match.position.moves()
        if not legal:
            break
        match = match.play(rng.choice([legal[0], legal[1], legal[3 % len(legal)], legal[-1]]))
    return match


def test_information_states_contain_the_history_of_a_seat() -> None:
    assert repeated_information_states(few_choices(seed) for seed in range(4000)) > 50


@dataclass(frozen=True, slots=True)
class Hoard(Position):
    """Each seat hides numbers; after every pair, the text names the seat with more."""

    ACTIONS = ("hide 1", "hide 2", "hide 3", "hide 4")
    mine: tuple[int, ...] | Hidden = ()
    yours: tuple[int, ...] | Hidden = ()

    def moves(self) -> list[str]:
        return [] if self.winner() is not None else list(self.ACTIONS)

    def apply(self, move: str) -> Self:
        number, after = int(move.split()[1]), replace(self, to_move=1 - self.to_move)
        if self.to_move == 0:
            assert isinstance(self.mine, tuple)
            return replace(after, mine=(*self.mine, number))
        assert isinstance(self.yours, tuple)
        return replace(after, yours=(*self.yours, number))

    def winner(self) -> int | None:
        is_over = isinstance(self.yours, tuple) and len(self.yours) == 2
        return self.who_has_more() if is_over and self.mine is not HIDDEN else None

    def who_has_more(self) -> int:
        assert isinstance(self.mine, tuple)
        assert isinstance(self.yours, tuple)
        return int(sum(self.yours) > sum(self.mine))

    def view(self, seat: int) -> Self:
        if self.winner() is not None:
            return self
        return replace(self, yours=HIDDEN) if seat == 0 else replace(self, mine=HIDDEN)

    def tell(self, move: str, after: Self) -> str:
        return "" if after.to_move else f"Player {1 + after.who_has_more()} has more."


@dataclass(frozen=True, slots=True)
class Glimpse(Hoard):
    """The same, but a field of the view names the seat with more until the next move."""

    more: int | None = None

    def apply(self, move: str) -> Self:
        after = Hoard.apply(self, move)
        return replace(after, more=None if after.to_move else after.who_has_more())

    def tell(self, move: str, after: Self) -> str:
        return ""


@pytest.mark.parametrize("game", [Hoard, Glimpse])
@pytest.mark.parametrize("most_worlds", [10_000, 2])
def test_information_sets_differ_by_views_and_texts(
    game: type[Position], most_worlds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.secrecy.MAX_WORLDS", most_worlds)
    register(game)
    assert repeated_information_states(every_history(game, 4)) > 50


@given(matches())
def test_information_states_of_open_games_are_their_histories(match: Match) -> None:
    if keeps_secrets(type(match.position)):
        return
    state = replay(match)
    for seat in (0, 1):
        parts = state.information_state_string(seat).split(" | ")
        assert parts == [*match.moves, repr(match.position)]


@pytest.mark.clause("TT-R3")
def test_states_of_the_defender_do_not_depend_on_the_hidden_attack() -> None:
    for seed in range(50):
        before = at_random(TokenTactics, 2 * (seed % 3), seed)
        if before.winner() is not None or before.position.commit is not None:  # type: ignore[attr-defined] # its own field
            continue
        seat = 1 - before.position.to_move
        states = set()
        for move in before.position.moves():
            if move.startswith("attack"):
                state = replay(before.play(move))
                states.add(
                    (
                        state.information_state_string(seat),
                        state.observation_string(seat),
                        tuple(state.observation_tensor(seat)),
                        tuple(state.legal_actions(seat)),
                    )
                )
        assert len(states) == 1
