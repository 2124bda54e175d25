"""The published tournament of our own players: its log is checked, and games of it are played
again."""

from __future__ import annotations

from itertools import islice

import pytest
from conftest import Run

import known
from duelbook.arena.measures import regret
from duelbook.arena.measures.player_measures import Measures
from duelbook.arena.report.standings import HEAD, main_table
from duelbook.arena.run.play_game import play_game
from duelbook.arena.run.runner import plan
from duelbook.arena.tournament.folder import Folder
from duelbook.arena.tournament.player_factory import PlayerFactory
from paths import ROOT

pytestmark = pytest.mark.slow

TOURNAMENT = ROOT / "examples" / "tournament" / "own-players"


@pytest.fixture(autouse=True)
def solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are solved once in a process."""
    monkeypatch.setattr(regret, "solve", lambda game, max_positions: known.solved(game))


def test_the_published_tournament_holds_by_the_rules_and_its_report_by_the_log(run: Run) -> None:
    told = run("arena", "verify", str(TOURNAMENT))
    assert told.output.startswith("1,050 games, ")
    assert told.output.endswith(" moves: 0 faults.\n")
    # The report shows the figures of the log. (Here, since both need the solutions.)
    page = (TOURNAMENT / "report.html").read_text()
    _, rows = main_table(Measures(Folder(TOURNAMENT).games()), "forfeits as losses")
    assert len(rows) == 7
    for row in rows:
        for cell in row[2 : len(HEAD) - 1]:
            main, _, between = cell.partition(" [")
            assert f">{main} <small>[{between}</small>" in page, cell


def test_the_published_tournament_is_what_its_file_asks_for() -> None:
    assert (TOURNAMENT / "tournament.toml").read_text() == TOURNAMENT.with_suffix(
        ".toml"
    ).read_text()
    asked = {task.id for task in plan(TOURNAMENT, to_play=False).tasks()}
    assert asked == {game["id"] for game in Folder(TOURNAMENT).games()}


def test_games_of_the_published_tournament_go_the_same_way_again() -> None:
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
