"""The published cup of our own players: its log is checked, and games of it are played again."""

from __future__ import annotations

from itertools import islice

import pytest
from conftest import Run

import known
from duelbook.arena.measures import regret
from duelbook.arena.measures.player_measures import Measures
from duelbook.arena.report.standings import HEAD, main_table
from duelbook.arena.run.game_record import play_game
from duelbook.arena.run.runner import plan
from duelbook.arena.tournament.folder import Folder
from duelbook.arena.tournament.seating import Seating
from paths import ROOT

pytestmark = pytest.mark.slow

CUP = ROOT / "examples" / "cup" / "own-players"


@pytest.fixture(autouse=True)
def solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are solved once in a process."""
    monkeypatch.setattr(regret, "solve", lambda game, most: known.solved(game))


def test_the_published_cup_holds_by_the_rules_and_its_report_by_the_log(run: Run) -> None:
    told = run("arena", "verify", str(CUP))
    assert told.output.startswith("1,050 games, ")
    assert told.output.endswith(" moves: 0 faults.\n")
    # The report shows the figures of the log. (Here, since both need the solutions.)
    page = (CUP / "report.html").read_text()
    _, rows = main_table(Measures(Folder(CUP).games()), "forfeits as losses")
    assert len(rows) == 7
    for row in rows:
        for cell in row[2 : len(HEAD) - 1]:
            main, _, between = cell.partition(" [")
            assert f">{main} <small>[{between}</small>" in page, cell


def test_the_published_cup_is_what_its_file_asks_for() -> None:
    assert (CUP / "cup.toml").read_text() == CUP.with_suffix(".toml").read_text()
    asked = {task.id for task in plan(CUP, to_play=False).tasks()}
    assert asked == {game["id"] for game in Folder(CUP).games()}


def test_games_of_the_published_cup_go_the_same_way_again() -> None:
    """Every fortieth of them; `duelbook arena verify --replay` plays all of them again."""
    planned = plan(CUP, to_play=False)
    tasks = {task.id: task for task in planned.tasks()}
    seating = Seating(planned.cup)
    for game in islice(Folder(CUP).games(), 0, None, 40):
        task = tasks[game["id"]]
        with seating.players(task) as players:
            again = play_game(seating.game(task), task, players, planned.cup.limits)
        for name in ("moves", "end", "winner", "payoffs"):
            assert again[name] == game[name]
