"""A drawn game: every part of the program says that it is over, and that nobody has won."""

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
from duelbook.research.policies import seated
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.web import protocol as p
from duelbook.web.games.commands import decide, seat_event
from duelbook.web.games.room import Room
from duelbook.web.games.views import snapshot
from duelbook.web.store.game_events import GameTerms
from paths import ROOT

FILE = ROOT / "examples" / "games" / "noughts_and_crosses.py"
DRAWN = [f"square {square}" for square in (5, 1, 9, 3, 2, 8, 4, 6, 7)]
WON = [f"square {square}" for square in (1, 4, 2, 5, 3)]


@pytest.fixture
def game() -> Iterator[type[Position]]:
    loaded = dict(registry._loaded)  # noqa: SLF001 # what other tests have loaded
    yield duelbook.load(str(FILE))
    registry._loaded.clear()  # noqa: SLF001 # as above
    registry._loaded.update(loaded)  # noqa: SLF001 # as above


def played(game: type[Position], moves: list[str]) -> Match:
    match = Match.begin(game)
    for move in moves:
        match = match.play(move)
    return match


def test_the_outcome_of_a_draw_has_no_winner_and_pays_nothing(game: type[Position]) -> None:
    match = played(game, DRAWN)
    assert match.position.winner() is DRAW
    assert match.outcome() == Outcome(None)
    assert Outcome(None).payoffs == (0.0, 0.0)
    assert Outcome(1, "time").payoffs == (-1.0, 1.0)
    assert match.winner() is None
    with pytest.raises(DuelbookError, match="over"):
        match.resign()


def test_a_match_of_three_with_draws_is_saved_and_read_again(
    game: type[Position], tmp_path: Path
) -> None:
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


def test_a_match_in_which_all_is_drawn_is_drawn(game: type[Position]) -> None:
    series = Series.begin(game)
    for move in DRAWN:
        series = series.with_match(series.match.play(move))
    assert series.is_over
    assert series.winner() is None
    assert series.standing().endswith("The match is drawn ½ to ½.")


def test_a_draw_is_told_replayed_and_not_resumed(game: type[Position], run: Run) -> None:
    done = run("play", str(FILE), typed="\n".join(DRAWN) + "\n")
    assert "The game is a draw." in done.stdout
    again = run("replay", "--game", str(FILE))
    assert "The game is a draw." in again.stdout
    assert "continues" not in again.stdout
    assert "no unfinished game" in run("resume", "--game", str(FILE)).output


def test_a_drawn_game_is_explained(game: type[Position]) -> None:
    solution, match = duelbook.solve(game), played(game, DRAWN)
    assert "The game was a draw." in game_analysis.in_words(solution, match)
    data = game_analysis.as_data(solution, match)
    assert (data["winner"], data["drawn"]) == (None, True)
    assert game_analysis.as_data(solution, played(game, WON))["drawn"] is False


@pytest.mark.slow
def test_a_report_counts_draws(game: type[Position]) -> None:
    proof = prove(game)
    scores = strength.round_robin(game, proof.solution, games=20)
    assert any(score.drawn for score in scores)
    assert not any(score.unfinished for score in scores)
    text = page(proof, scores)
    assert "were drawn" in text
    assert "cut off" not in text


@pytest.mark.parametrize("name", ["random", "greedy", "minimax:2", "mcts:20", "easy", "perfect"])
def test_every_player_plays_to_the_end(game: type[Position], name: str) -> None:
    for number in range(5):
        pair = make(name), make(name)
        outcome = play_out(game, pair, Random(number), limit=9).outcome()
        assert outcome is not None
        if name == "perfect":
            assert outcome.winner is None


def test_perfect_play_is_not_exploited(game: type[Position]) -> None:
    found = duelbook.evaluate(game, "perfect")
    assert found.exploitability == pytest.approx(0, abs=1e-9)
    assert found.values == pytest.approx((0, 0))
    assert duelbook.evaluate(game, "random").exploitability > 0.5


@pytest.mark.parametrize("record", [False, True])
def test_simulation_agrees_with_the_exact_chances(game: type[Position], record: bool) -> None:
    table, players, games = enumerate_game(game), ("random", "easy"), 20_000
    exact = expectation(table, seated(table, players))
    found = duelbook.simulate(table, games=games, players=players, seed=3, record=record)
    assert found.unfinished == 0
    for seen, share in zip(
        (*found.wins, found.draws), (*exact.wins[0], exact.draws[0]), strict=True
    ):
        assert abs(seen / games - share) < 4.5 * np.sqrt(share * (1 - share) / games)
    assert exact.endless[0] == 0


def test_a_vector_of_games_ends_with_draws(game: type[Position]) -> None:
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


def test_pettingzoo_pays_nobody_for_a_draw(game: type[Position]) -> None:
    made = env(str(FILE))
    made.reset()
    for move in DRAWN:
        made.step(game.ACTIONS.index(move))
    assert all(made.terminations.values())
    assert set(made.rewards.values()) == {0.0}


def test_gymnasium_terminates_with_a_draw(game: type[Position]) -> None:
    class Script:
        def choose(self, view: Position, _: Random) -> str:
            return DRAWN[sum(owner is not None for owner in view.to_json()["squares"])]

    made = DuelEnv(str(FILE), opponent=Script())
    made.reset(seed=0)
    for move in DRAWN[::2]:
        _, reward, terminated, truncated, _ = made.step(game.ACTIONS.index(move))
    assert (reward, terminated, truncated) == (0.0, True, False)


def test_openspiel_knows_the_same_game(game: type[Position]) -> None:
    state = pyspiel.load_game(openspiel.register(game)).new_initial_state()
    for move in DRAWN:
        state.apply_action(game.ACTIONS.index(move))
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    theirs = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for move in DRAWN:
        theirs.apply_action(game.ACTIONS.index(move))
    assert theirs.returns() == [0.0, 0.0]


def test_its_positions_are_those_of_openspiel(game: type[Position]) -> None:
    """There are 5,478; each is compared: legal actions, and the result where the game is over."""
    ours = {}
    for position in enumerate_game(game).positions:
        key = "".join(".xo"[0 if owner is None else owner + 1] for owner in _squares(position))
        ours[key] = position
    seen: set[str] = set()
    waiting = [pyspiel.load_game("tic_tac_toe").new_initial_state()]
    while waiting:
        state = waiting.pop()
        key = str(state).replace("\n", "")
        if key in seen:
            continue
        seen.add(key)
        outcome = ours[key].outcome()
        assert state.is_terminal() == (outcome is not None)
        if outcome is not None:
            assert state.returns() == list(outcome.payoffs)
            continue
        legal = [game.ACTIONS.index(move) for move in ours[key].moves()]
        assert state.legal_actions() == legal
        waiting += [state.child(action) for action in legal]
    assert seen == ours.keys()
    assert len(seen) == 5478


def _squares(position: Position) -> list[int | None]:
    squares: list[int | None] = position.to_json()["squares"]
    return squares


@pytest.mark.slow
def test_an_audit_counts_draws() -> None:
    record = examine(Source.read(FILE), AuditLimits())
    assert record.outcome == "examined"
    assert (record.draws, record.stuck, record.winner) == (16, 0, "nobody")
    assert record.breaches == ()


def test_a_drawn_game_on_the_server_has_that_result(game: type[Position]) -> None:
    room = Room.begin(GameTerms("id", game))
    for seat in (0, 1):
        name = f"Player {seat + 1}"
        room = room.after(seat_event(room, seat, name, "hash", help=False, now=0))
    for number, move in enumerate(DRAWN):
        room = room.after(decide(room, frozenset({number % 2}), p.Play(move, room.turn), 0))
    assert room.over
    assert snapshot(room, frozenset(), 0).status.result == p.Result(
        None, "draw", why="The game is a draw."
    )
    assert room.told[-1].endswith("The game is a draw.")
