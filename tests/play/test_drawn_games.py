"""A drawn game: every part of the program reports that it is over and that nobody has won."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pyspiel
import pytest
from conftest import Run

import duelbook
from duelbook import DRAW, DuelbookError, Match, Outcome, Position, VectorEnv
from duelbook.adapters import openspiel
from duelbook.adapters.gymnasium import DuelEnv
from duelbook.adapters.pettingzoo import env
from duelbook.analysis import game_analysis, strength
from duelbook.analysis.claims import prove
from duelbook.analysis.game_report import page
from duelbook.audit.audit_record import AuditLimits
from duelbook.audit.sandbox.isolation import Source, examine
from duelbook.catalog import registry
from duelbook.play import saves
from duelbook.play.series import Series
from duelbook.players import make
from duelbook.players.play_out import play_out
from duelbook.research.expectation import expectation
from duelbook.research.policies import joint_policy
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.web import protocol as p
from duelbook.web.games.commands import decide, sit_event
from duelbook.web.games.state.room import Room
from duelbook.web.games.state.views import snapshot
from duelbook.web.store.game_events import GameTerms
from paths import ROOT

FILE = ROOT / "examples" / "games" / "noughts_and_crosses.py"
DRAWN = [f"square {square}" for square in (5, 1, 9, 3, 2, 8, 4, 6, 7)]
WON = [f"square {square}" for square in (1, 4, 2, 5, 3)]


@pytest.fixture
def game() -> Iterator[type[Position]]:
    loaded = dict(registry._loaded)  # noqa: SLF001 # games of other tests
    yield duelbook.load(str(FILE))
    registry._loaded.clear()  # noqa: SLF001 # as above
    registry._loaded.update(loaded)  # noqa: SLF001 # as above


def play(game: type[Position], moves: list[str]) -> Match:
    match = Match.begin(game)
    for move in moves:
        match = match.play(move)
    return match


def test_outcome_of_a_draw_has_no_winner_and_no_payoff(game: type[Position]) -> None:
    match = play(game, DRAWN)
    assert match.position.winner() is DRAW
    assert match.outcome() == Outcome(None)
    assert Outcome(None).payoffs == (0.0, 0.0)
    assert Outcome(1, "time").payoffs == (-1.0, 1.0)
    assert match.winner() is None
    with pytest.raises(DuelbookError, match="over"):
        match.resign()


def test_best_of_three_with_draws_is_saved_and_read(game: type[Position], tmp_path: Path) -> None:
    series = Series.begin(game, best_of=3)
    for moves in (DRAWN, WON):
        assert not series.is_over
        for move in moves:
            series = series.with_match(series.match.play(move))
        series = series.next_game()
    first = series.matches[1].first
    for move in DRAWN:
        series = series.with_match(series.match.play(move))
    assert series.is_over
    assert series.winner() == first
    assert sorted(series.score()) == [1.0, 2.0]
    saves.write(series, tmp_path / "match.json")
    assert saves.read(tmp_path / "match.json").matches == series.matches
    data = json.loads((tmp_path / "match.json").read_text())
    assert data["games"][0]["result"] == {"winner": None, "by": "draw"}


def test_match_of_drawn_games_is_drawn(game: type[Position]) -> None:
    series = Series.begin(game)
    for move in DRAWN:
        series = series.with_match(series.match.play(move))
    assert series.is_over
    assert series.winner() is None
    assert series.standing().endswith("The series is drawn ½ to ½.")


def test_aborted_game_gives_no_points_but_counts_as_a_game(game: type[Position]) -> None:
    series = Series.begin(game, best_of=3)
    for end in (Match.draw, Match.resign):
        series = series.with_match(end(series.match)).next_game()
    series = series.with_match(series.match.draw("aborted"))
    assert series.score() == (1.5, 0.5)
    aborted = Series.begin(game, best_of=3)
    for number in (1, 2, 3):
        assert aborted.decided_after() is None
        aborted = aborted.with_match(aborted.match.draw("aborted"))
        assert aborted.score() == (0, 0)
        aborted = aborted.next_game() if number < 3 else aborted
    assert aborted.decided_after() == 3
    assert aborted.winner() is None


def test_drawn_game_is_printed_replayed_and_not_resumed(game: type[Position], run: Run) -> None:
    first = run("play", str(FILE), typed="\n".join(DRAWN) + "\n")
    assert "The game is a draw." in first.stdout
    replay = run("replay", "--game", str(FILE))
    assert "The game is a draw." in replay.stdout
    assert "continues" not in replay.stdout
    assert "no unfinished game" in run("resume", "--game", str(FILE)).output


def test_analysis_reports_a_draw(game: type[Position]) -> None:
    solution, match = duelbook.solve(game), play(game, DRAWN)
    assert "The game was a draw." in game_analysis.as_text(solution, match)
    data = game_analysis.as_data(solution, match)
    assert (data["winner"], data["drawn"]) == (None, True)
    assert game_analysis.as_data(solution, play(game, WON))["drawn"] is False


@pytest.mark.integration
def test_report_counts_draws(game: type[Position]) -> None:
    proof = prove(game)
    scores = strength.round_robin(game, proof.solution, games=20)
    assert any(score.drawn for score in scores)
    assert not any(score.unfinished for score in scores)
    text = page(proof, scores)
    assert "were drawn" in text
    assert "cut off" not in text


@pytest.mark.parametrize("name", ["random", "greedy", "minimax:2", "mcts:20", "easy", "perfect"])
def test_every_player_finishes_the_game(game: type[Position], name: str) -> None:
    for number in range(5):
        pair = make(name), make(name)
        outcome = play_out(game, pair, Random(number), limit=9).outcome()
        assert outcome is not None
        if name == "perfect":
            assert outcome.winner is None


def test_perfect_play_has_no_exploitability(game: type[Position]) -> None:
    evaluation = duelbook.evaluate(game, "perfect")
    assert evaluation.exploitability == pytest.approx(0, abs=1e-9)
    assert evaluation.values == pytest.approx((0, 0))
    assert duelbook.evaluate(game, "random").exploitability > 0.5


@pytest.mark.parametrize("record", [False, True])
def test_simulation_agrees_with_exact_probabilities(game: type[Position], record: bool) -> None:
    table, players, games = enumerate_game(game), ("random", "easy"), 20_000
    exact = expectation(table, joint_policy(table, players))
    simulation = duelbook.simulate(table, games=games, players=players, seed=3, record=record)
    assert simulation.unfinished == 0
    counts = *simulation.wins, simulation.draws
    for count, share in zip(counts, (*exact.wins[0], exact.draws[0]), strict=True):
        assert abs(count / games - share) < 4.5 * np.sqrt(share * (1 - share) / games)
    assert exact.endless[0] == 0


def test_vector_env_ends_games_with_draws(game: type[Position]) -> None:
    vector = VectorEnv(game, 500)
    random, drawn = np.random.default_rng(0), 0
    for _ in range(30):
        batch = vector.step(vector.sample(random))
        for at in np.flatnonzero(batch.terminated).tolist():
            outcome = vector.table.positions[int(batch.reached[at])].outcome()
            assert outcome is not None
            assert batch.rewards[at].tolist() == list(outcome.payoffs)
            drawn += outcome.winner is None
        assert not batch.truncated.any()
    assert drawn > 50


def test_pettingzoo_rewards_of_a_draw_are_zero(game: type[Position]) -> None:
    environment = env(str(FILE))
    environment.reset()
    for move in DRAWN:
        environment.step(game.ACTIONS.index(move))
    assert all(environment.terminations.values())
    assert set(environment.rewards.values()) == {0.0}


def test_gymnasium_terminates_with_a_draw(game: type[Position]) -> None:
    class Script:
        def choose(self, view: Position, _: Random) -> str:
            return DRAWN[sum(owner is not None for owner in view.to_json()["squares"])]

    environment = DuelEnv(str(FILE), opponent=Script())
    environment.reset(seed=0)
    for move in DRAWN[::2]:
        _, reward, terminated, truncated, _ = environment.step(game.ACTIONS.index(move))
    assert (reward, terminated, truncated) == (0.0, True, False)


def test_openspiel_returns_of_a_draw_are_zero(game: type[Position]) -> None:
    state = pyspiel.load_game(openspiel.register(game)).new_initial_state()
    for move in DRAWN:
        state.apply_action(game.ACTIONS.index(move))
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    reference = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for move in DRAWN:
        reference.apply_action(game.ACTIONS.index(move))
    assert reference.returns() == [0.0, 0.0]


def test_positions_equal_those_of_openspiel(game: type[Position]) -> None:
    """Compare the legal actions and the result of all 5,478 positions."""
    positions = {}
    for position in enumerate_game(game).positions:
        key = "".join(".xo"[0 if owner is None else owner + 1] for owner in _squares(position))
        positions[key] = position
    seen: set[str] = set()
    waiting = [pyspiel.load_game("tic_tac_toe").new_initial_state()]
    while waiting:
        state = waiting.pop()
        key = str(state).replace("\n", "")
        if key in seen:
            continue
        seen.add(key)
        outcome = positions[key].outcome()
        assert state.is_terminal() == (outcome is not None)
        if outcome is not None:
            assert state.returns() == list(outcome.payoffs)
            continue
        legal = [game.ACTIONS.index(move) for move in positions[key].moves()]
        assert state.legal_actions() == legal
        waiting += [state.child(action) for action in legal]
    assert seen == positions.keys()
    assert len(seen) == 5478


def _squares(position: Position) -> list[int | None]:
    squares: list[int | None] = position.to_json()["squares"]
    return squares


@pytest.mark.integration
def test_audit_counts_draws() -> None:
    record = examine(Source.read(FILE), AuditLimits())
    assert record.outcome == "examined"
    assert (record.draws, record.stuck, record.winner) == (16, 0, "nobody")
    assert record.breaches == ()


def test_server_reports_a_draw(game: type[Position]) -> None:
    room = Room.begin(GameTerms("id", game))
    for seat in (0, 1):
        name = f"Player {seat + 1}"
        room = room.after(sit_event(room, seat, name, "hash", help=False, now=0))
    for number, move in enumerate(DRAWN):
        room = room.after(decide(room, frozenset({number % 2}), p.Play(move, room.turn), 0))
    assert room.over
    assert snapshot(room, frozenset(), 0).status.result == p.Result(
        None, "draw", why="The game is a draw."
    )
    assert room.texts[-1].endswith("The game is a draw.")
