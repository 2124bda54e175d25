"""The published tournament of our own players: its log is checked, and games of it are played
again."""

from __future__ import annotations

from itertools import islice

import pytest
from conftest import Run

from duelbook.arena.measures import regret
from duelbook.arena.measures.player_measures import Measures
from duelbook.arena.report.standings import HEAD, main_table
from duelbook.arena.run.play_game import play_game
from duelbook.arena.run.runner import plan
from duelbook.arena.tournament.folder import Folder
from duelbook.arena.tournament.player_factory import PlayerFactory
from paths import ROOT
from shared_solutions import shared_solution

pytestmark = pytest.mark.integration

TOURNAMENT = ROOT / "examples" / "tournament" / "own-players"


@pytest.fixture(autouse=True)
def solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are solved once in a process."""
    monkeypatch.setattr(regret, "solve", lambda game, max_positions: shared_solution(game))


def test_the_published_log_is_valid_and_the_report_agrees_with_it(run: Run) -> None:
    result = run("arena", "verify", str(TOURNAMENT))
    assert result.output.startswith("1,050 games, ")
    assert result.output.endswith(" moves: 0 faults.\n")
    # The report shows the figures of the log. (Here, since both need the solutions.)
    page = (TOURNAMENT / "report.html").read_text()
    _, rows = main_table(Measures(Folder(TOURNAMENT).games()), "forfeits as losses")
    assert len(rows) == 7
    for row in rows:
        for cell in row[2 : len(HEAD) - 1]:
            main, _, between = cell.partition(" [")
            assert f">{main} <small>[{between}</small>" in page, cell


def test_the_published_games_are_those_of_the_tournament_file() -> None:
    assert (TOURNAMENT / "tournament.toml").read_text() == TOURNAMENT.with_suffix(
        ".toml"
    ).read_text()
    task_ids = {task.id for task in plan(TOURNAMENT, to_play=False).tasks()}
    assert task_ids == {game["id"] for game in Folder(TOURNAMENT).games()}


def test_published_games_can_be_reproduced() -> None:
    """Every fortieth of them; `duelbook arena verify --replay` plays all of them again."""
    planned = plan(TOURNAMENT, to_play=False)
    tasks = {task.id: task for task in planned.tasks()}
    factory = PlayerFactory(planned.tournament)
    for game in islice(Folder(TOURNAMENT).games(), 0, None, 40):
        task = tasks[game["id"]]
        with factory.players(task) as players:
            again = play_game(factory.game(task), task, players, planned.tournament.limits)
        for name in ("moves", "end", "winner", "payoffs"):
            assert again[name] == game[name]
