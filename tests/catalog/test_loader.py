"""Load games by path or class; refuse other names with the reason."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from conftest import Run, Terminal

import duelbook
from duelbook.catalog import registry
from duelbook.errors import UnknownGame

NIM = '''
from dataclasses import dataclass, replace
from typing import Self

from duelbook import Position


@dataclass(frozen=True, slots=True)
class {name}(Position):
    """Take the last one."""

    ACTIONS = ("take 1", "take 2", "take 3")
    left: int = 12

    def moves(self) -> list[str]:
        return [f"take {{n}}" for n in (1, 2, 3) if n <= self.left]

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, left=self.left - int(move[-1]))

    def winner(self) -> int | None:
        return None if self.left else 1 - self.to_move
'''


pytestmark = pytest.mark.usefixtures("no_loaded_games")


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    file = tmp_path / "nim.py"
    file.write_text(NIM.format(name="Nim"))
    return file


def test_a_game_can_be_named_by_its_path(nim: Path) -> None:
    game = duelbook.load(str(nim))
    assert game.slug == "nim"
    assert duelbook.load(str(nim)) is game
    assert duelbook.load(f"{nim}:Nim") is game
    assert duelbook.load("nim") is game
    assert duelbook.solve(game).value(game()) == -1


def test_a_game_can_be_named_by_module_and_class() -> None:
    tower = duelbook.load("tower")
    assert duelbook.load("duelbook.games.tower_defense_duel:TowerDefenseDuel") is tower
    assert duelbook.load("duelbook.games.tower_defense_duel:") is tower


@pytest.mark.parametrize(
    "command",
    [
        ["rules"],
        ["solve"],
        ["verify"],
        ["describe"],
        ["simulate", "--games", "100"],
        ["strength", "--games", "2"],
        ["report", "--games", "2"],
    ],
    ids=lambda command: str(command[0]),
)
def test_every_command_takes_a_path(command: list[str], nim: Path, run: Run) -> None:
    done = run(command[0], str(nim), *command[1:])
    assert done.exit_code == 0
    assert "Nim" in done.stdout or "nim.html" in done.stdout


def test_a_game_from_a_file_is_saved_and_resumed(
    nim: Path, terminal: Callable[..., Terminal]
) -> None:
    game = terminal("play", str(nim))
    game.wait_for("Enter your move")
    game.type("2")
    game.wait_for("Player 2's turn.")
    game.type("quit")
    text = game.end()
    assert f"--game {nim}" in text
    again = terminal("resume", "--game", str(nim))
    again.wait_for("Player 2's turn.")
    again.type("quit")
    again.end()
    without = terminal("resume")
    assert "no unfinished game" in without.end()


def test_a_saved_game_runs_no_file_that_it_names(tmp_path: Path, nim: Path, run: Run) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text("open('sprung', 'w').close()\n" + NIM.format(name="Trap"))
    save = tmp_path / "save.json"
    save.write_text(
        f'{{"format": 1, "game": "{trap}", "names": ["A", "B"], "best_of": 1, "started": "", '
        '"saved": "", "games": []}'
    )
    assert run("replay", str(save)).exit_code != 0
    assert not Path("sprung").exists()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("x = (\n", "cannot be loaded: line 1: '(' was never closed."),
        ("x = 1\ny = z\n", "cannot be loaded: line 2: NameError: name 'z' is not defined."),
        ("import sys\nsys.exit(3)\n", "cannot be loaded: line 2: SystemExit: 3."),
        ("x = 1\n", "There is no game in "),
        (NIM.format(name="One") + NIM.format(name="Two"), "more than one game in"),
        (NIM.format(name="TowerDefenseDuel"), "another game has that name"),
    ],
)
def test_a_file_without_exactly_one_game_is_refused_with_the_reason(
    source: str, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.py"
    file.write_text(source)
    with pytest.raises(UnknownGame) as refused:
        duelbook.load(str(file))
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_two_files_may_not_give_one_name_to_two_games(nim: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(NIM.format(name="Nim"))
    duelbook.load(str(nim))
    with pytest.raises(UnknownGame, match="another game has that name"):
        duelbook.load(str(other))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("./none.py", "There is no file none.py"),
        ("no.such.module:Game", "There is no module no"),
        ("duelbook.games.tower_defense_duel:Nim", "no game 'Nim' in .*, only: TowerDefenseDuel"),
        ("duelbook.errors:", "There is no game in duelbook.errors"),
    ],
)
def test_a_missing_file_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(UnknownGame, match=reason):
        duelbook.load(name)


def offer(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    points = [
        EntryPoint(name, "duelbook.games.tower_defense_duel:TowerDefenseDuel", "duelbook.games")
        for name in names
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)


def test_a_package_offers_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "turrets")
    assert duelbook.load("turrets") is duelbook.load("tower-defense-duel")


def test_two_packages_with_one_game_name_are_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    offer(monkeypatch, "turrets", "turrets")
    with pytest.raises(UnknownGame, match="There are two games called turrets"):
        duelbook.load("turrets")
    assert len(registry.list_games()) == 5


def test_an_error_in_a_game_is_shown_with_its_line(nim: Path, run: Run) -> None:
    nim.write_text(nim.read_text().replace("else 1 - self.to_move\n", "else 1 // self.left\n"))
    for command in ("solve", "verify", "simulate"):
        done = run(command, str(nim))
        assert done.exit_code == 1
        assert "nim.py fails in line 22: ZeroDivisionError" in done.stderr
        assert "duelbook check" in done.stderr


def test_the_computers_move_is_printed_once(nim: Path, run: Run) -> None:
    shown = run("play", str(nim), "--vs", "perfect", "--plain", typed="take 1\n").stdout
    assert shown.count("Player 2 plays take 3.") == 1


def test_another_process_finds_a_game_from_any_folder(
    nim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = duelbook.load("./nim.py")
    monkeypatch.chdir("/")
    assert duelbook.load(registry.source_of(game)) is game
