"""The matrix of every game and every feature that takes a game.

A game with millions of positions is tried with one number changed, as a shorter game of the same
rules. What is left out stands in `LEFT_OUT`, with the reason.
"""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np
import pyspiel
import pytest
from conftest import Run
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import duelbook
from duelbook import Match, Position, conformance, players
from duelbook.adapters import openspiel
from duelbook.adapters.gymnasium import DuelEnv
from duelbook.adapters.pettingzoo import env
from duelbook.analysis import claims, game_analysis, game_report, strength
from duelbook.analysis.hint import hint
from duelbook.chance import draw
from duelbook.play import saves
from duelbook.play.series import Series
from duelbook.players import levels
from duelbook.players.play_out import play_out
from duelbook.players.simple_players import RandomPlayer
from duelbook.position import CHANCE
from duelbook.research.evaluation import evaluate
from duelbook.research.simulation import simulate
from duelbook.research.vector_env import VectorEnv
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.solve import AnySolution, solve_table
from duelbook.solver.tables.position_table import Table
from duelbook.web import protocol
from duelbook.web.games import commands
from duelbook.web.games.state.room import Room
from duelbook.web.games.state.views import chance_draws, encode, snapshot, steps
from duelbook.web.store.game_events import GameTerms
from generators import run_to_end
from short_games import EXAMPLES, write_short

pytestmark = pytest.mark.integration
LIMIT = 300
BOOKS = [game.slug for game in duelbook.list_games()]
QUICK_EXAMPLES = ("hexapawn", "kuhn_poker", "pig")
EXAMPLE_NAMES = sorted(file.stem for file in EXAMPLES.glob("*.py"))
NAMES = [
    *BOOKS,
    *(
        pytest.param(name, marks=() if name in QUICK_EXAMPLES else pytest.mark.slow)
        for name in EXAMPLE_NAMES
    ),
]


@dataclass
class Case:
    """A game, and the values that many cells share."""

    game: type[Position]
    name: str
    run: Run
    home: Path

    @cached_property
    def table(self) -> Table:
        return enumerate_game(self.game)

    @cached_property
    def solution(self) -> AnySolution:
        return solve_table(self.table)

    @cached_property
    def proof(self) -> claims.Proof:
        return claims.prove(self.game)

    @cached_property
    def match(self) -> Match:
        """A random match, finished if the end comes soon."""
        anyone = RandomPlayer()
        return play_out(self.game, (anyone, anyone), Random(7), limit=LIMIT)

    @cached_property
    def file(self) -> Path:
        file = self.home / "game.json"
        saves.write(Series((self.match,), started="2026-01-02T03:04:05Z"), file)
        return file


def _check(case: Case) -> None:
    assert conformance.check(case.game, max_positions=1000).breaches == ()


def _match(case: Case) -> None:
    outcome = case.match.outcome()
    assert outcome is not None or len(case.match.moves) == LIMIT
    assert outcome is None or sum(outcome.payoffs) == 0
    assert len(case.match.undo().moves) < len(case.match.moves)


def _series(case: Case) -> None:
    series, random = Series.begin(case.game, best_of=3), Random(1)
    while not series.is_over and len(series.matches) <= 3:
        match = series.match
        while match.outcome() is None and len(match.moves) < LIMIT:
            position = match.position
            is_chance = position.to_move == CHANCE
            move = draw(position, random) if is_chance else random.choice(position.moves())
            match = match.play(move)
        series = series.with_match(match if match.outcome() else match.resign(0))
        if not series.is_over:
            series = series.next_game()
    assert sum(series.score()) == len(series.matches)
    assert "series" in series.standing()


def _saves(case: Case) -> None:
    assert saves.read(case.file).match == case.match


def _replay(case: Case) -> None:
    result = case.run("replay", str(case.file))
    assert result.exit_code == 0
    assert (
        case.match.move_texts()[-1].splitlines()[-1:] == []
        or case.match.move_texts()[-1] in result.output
    )


def _terminal(case: Case) -> None:
    typed = "\nboard\nmoves\nhint\nresign\n"
    done = case.run("play", case.name, "--vs", "random", "--seed", "4", "--plain", typed=typed)
    assert "resigns." in done.output, done.output


def _hint(case: Case) -> None:
    for at, position in list(enumerate(case.match.positions[:-1]))[:12]:
        if position.to_move != CHANCE:
            so_far = Match(case.match.positions[: at + 1], case.match.moves[:at])
            record = so_far.record(position.to_move)
            best = hint(case.solution, record.view, record)
            assert best.move in position.moves()
            assert best.move in best.text or best.text.startswith("Every move is worth")


def _analysis(case: Case) -> None:
    judged = game_analysis.as_data(case.solution, case.match)
    chosen = [p for p in case.match.positions[:-1] if p.to_move != CHANCE]
    assert len(judged["moves"]) == len(chosen)
    assert json.loads(json.dumps(judged)) == judged
    assert game_analysis.as_text(case.solution, case.match)


def _verify(case: Case) -> None:
    proof = case.proof
    assert proof.findings
    assert claims.as_text(proof)
    assert json.dumps(proof.as_data())


def _report(case: Case) -> None:
    scores = strength.round_robin(case.game, case.solution, games=2)
    assert case.game.title.partition("'")[0] in game_report.page(case.proof, scores)


def _players(case: Case) -> None:
    if not case.game.vectors:  # otherwise it is searched, not solved
        levels._oracles[case.game] = case.solution  # noqa: SLF001 # it would only be solved again
    for name in ("random", "greedy", "minimax:1", "mcts:5", "easy", "medium", "hard", "perfect"):
        player = players.make(name)
        played = play_out(case.game, (player, RandomPlayer()), Random(2), limit=30)
        assert played.outcome() is not None or len(played.moves) == 30


def _simulate(case: Case) -> None:
    simulation = simulate(case.table, games=300, players=("random", "random"), limit=LIMIT)
    assert sum(simulation.wins) + simulation.draws + simulation.unfinished == 300


def _vector_env(case: Case) -> None:
    envs, random = VectorEnv(case.table, 8), np.random.default_rng(3)
    batch = envs.reset()
    for _ in range(40):
        assert batch.masks.any(axis=1).all()
        batch = envs.step(envs.sample(random))
        assert not batch.illegal.any()
        assert np.allclose(batch.rewards.sum(axis=1), 0)


def _evaluate(case: Case) -> None:
    best, anyone = evaluate(case.table, "perfect"), evaluate(case.table, "random")
    assert anyone.exploitability >= best.exploitability - 1e-9
    assert best.worst_case[0] >= anyone.worst_case[0] - 1e-9


def _pettingzoo(case: Case) -> None:
    with redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends observations as plain arrays
        api_test(env(case.game), num_cycles=30)


def _gymnasium(case: Case) -> None:
    check_env(DuelEnv(case.game), skip_render_check=True)


def _openspiel(case: Case) -> None:
    registered = [name for name in pyspiel.registered_names() if name.startswith("duelbook_")]
    name = f"duelbook_{case.game.slug.replace('-', '_')}"
    if name not in registered:
        openspiel.register(case.game)
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=False, verbose=False)


def _audit(case: Case) -> None:
    done = case.run("audit", str(case.home / "book"))
    assert done.exit_code == 0, done.output
    assert "1 files: 1 examined." in done.output


def _browser(case: Case) -> None:
    random = Random(5)
    room = Room.begin(
        GameTerms("a game", case.game, draws="a seed" if case.game.CHANCE_MOVES else "")
    )
    for seat in (0, 1):
        room = room.after(commands.sit_event(room, seat, f"P{seat}", "x", help=False, now=0))
    while not room.over and len(room.match.moves) < LIMIT:
        if room.chance_to_move:
            room = room.after(commands.chance_move(room, 0))
        else:
            seat = room.position.to_move
            wish = protocol.Play(random.choice(room.position.moves()), room.turn)
            room = room.after(commands.decide(room, frozenset({seat}), wish, 0))
        for seats in ((), (0,), (1,), (0, 1)):
            assert encode(snapshot(room, frozenset(seats), 0))
    assert encode(run_to_end(steps(room)))
    if room.over and case.game.CHANCE_MOVES:
        assert len(run_to_end(chance_draws(room))) == sum(
            p.to_move == CHANCE for p in room.match.positions[:-1]
        )


CELLS: dict[str, Callable[[Case], None]] = {
    "check": _check,
    "match": _match,
    "series": _series,
    "saves": _saves,
    "replay": _replay,
    "terminal": _terminal,
    "hint": _hint,
    "analysis": _analysis,
    "verify": _verify,
    "report": _report,
    "players": _players,
    "simulate": _simulate,
    "VectorEnv": _vector_env,
    "evaluate": _evaluate,
    "PettingZoo": _pettingzoo,
    "Gymnasium": _gymnasium,
    "OpenSpiel": _openspiel,
    "audit": _audit,
    "browser": _browser,
}
LARGE = "its 15 million positions have tests of their own, in test_galaxy_conquest.py"
BUILT_IN = "an audit is for other people's files"
LEFT_OUT = {
    **{("galaxy-conquest", cell): LARGE for cell in ("hint", "analysis", "verify", "report")},
    **{("galaxy-conquest", cell): LARGE for cell in ("simulate", "VectorEnv", "evaluate")},
    **{(slug, "audit"): BUILT_IN for slug in BOOKS},
}


@pytest.mark.usefixtures("no_loaded_games")
@pytest.mark.parametrize("name", NAMES)
def test_every_feature_accepts_every_game(name: str, run: Run, home: Path) -> None:
    source = name
    if name not in BOOKS:
        folder = home / "book"
        folder.mkdir(parents=True)
        source = str(write_short(name, folder))
    case = Case(duelbook.load(source), source, run, home)
    failed = {}
    for cell, check in CELLS.items():
        if (name, cell) in LEFT_OUT:
            continue
        try:
            check(case)
        except Exception as error:  # report the whole row at once
            failed[cell] = f"{type(error).__name__}: {error}"
    assert not failed


def test_excluded_games_exist() -> None:
    assert {name for name, _ in LEFT_OUT} <= {*BOOKS, *EXAMPLE_NAMES}
    assert {cell for _, cell in LEFT_OUT} <= set(CELLS)
