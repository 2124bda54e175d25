"""What is installed from a wheel works, wherever one is; and `make help` knows every target."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from paths import ROOT

pytestmark = pytest.mark.integration

PACKAGE = ROOT / "src" / "duelbook"
OFFLINE = ("--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
NEEDED = [
    "players/llm/prompts/default.toml",
    "audit/audit.html",
    "games/tower_defense_duel.md",
    "py.typed",
    "analysis/game_report.html",
    "templates/game.txt",
    "templates/test.txt",
    "web/store/migrations/env.py",
    "web/store/migrations/script.py.mako",
    "web/store/migrations/versions/0001_games_and_events.py",
    "web/static/index.html",
]


def pip(*arguments: str) -> None:
    """Run pip without a network."""
    done = subprocess.run(  # noqa: S603 # our own package
        [sys.executable, "-m", "pip", *arguments, *OFFLINE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", str(ROOT), "--no-build-isolation", "--wheel-dir", str(folder))
    (file,) = folder.glob("duelbook-*.whl")
    return file


@pytest.mark.integration
def test_a_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("duelbook/")}
    everything = (file for file in PACKAGE.rglob("*") if file.is_file())
    files = [file for file in everything if file.parent.name != "__pycache__"]
    assert names == {f"duelbook/{file.relative_to(PACKAGE).as_posix()}" for file in files}
    assert names >= {f"duelbook/{name}" for name in NEEDED}
    page = {Path(name).suffix for name in names if name.startswith("duelbook/web/static/")}
    assert page >= {".css", ".html", ".js"}


@pytest.mark.integration
def test_a_wheel_works_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    site, empty = tmp_path / "site", tmp_path / "empty"
    pip("install", str(wheel), "--target", str(site))
    empty.mkdir()
    environment = dict(os.environ, PYTHONPATH=str(site))  # before the source that is installed

    def run(*command: str, typed: str = "") -> str:
        done = subprocess.run(  # noqa: S603 # our own program
            command,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            cwd=empty,
            env=environment,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    where = run(sys.executable, "-c", "import duelbook; print(duelbook.__file__)")
    assert Path(where.strip()).is_relative_to(site)
    duelbook = str(site / "bin" / "duelbook")
    assert "tower-defense-duel" in run(duelbook, "games")
    assert "TD-C1" in run(duelbook, "rules", "tower", "--clauses")
    assert "Player 1 builds 4 units." in run(duelbook, "play", "tower", typed="build 4\nquit\n")
    assert "With best play Player 1 wins in 21 turns" in run(duelbook, "solve", "tower")
    assert "Wrote my_game.py and test_my_game.py." in run(duelbook, "new", "My Game")
    assert sorted(file.name for file in empty.iterdir()) == ["my_game.py", "test_my_game.py"]


def test_help_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (targets,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    done = subprocess.run(
        ["make", "--no-print-directory", "help"],  # noqa: S607 # wherever it is
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    listed = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert set(listed) == set(targets.split())
    assert listed["play"] == "open the menu of games"
    assert all(description[0].islower() for description in listed.values())


def test_books_can_be_played_and_solved_without_scipy() -> None:
    program = (
        "import sys; sys.modules['scipy'] = None\n"
        "import duelbook; from duelbook.play.names import LEVELS; from duelbook import players\n"
        "from random import Random\n"
        "for game in duelbook.list_games():\n"
        "    duelbook.solve(game).best_moves(game())\n"
        "    for level in LEVELS: players.make(level).choose(game().view(0), Random(1))\n"
    )
    command = [sys.executable, "-c", program]
    subprocess.run(command, check=True)  # noqa: S603 # our own program


def test_play_and_solver_import_no_module_that_only_posix_has() -> None:
    program = (
        "import sys\n"
        "for name in ('fcntl', 'grp', 'pty', 'pwd', 'resource', 'termios', 'tty'):\n"
        "    sys.modules[name] = None\n"
        "import duelbook, duelbook.cli, duelbook.terminal.session, duelbook.research.simulation\n"
        "duelbook.solve(duelbook.load('tower-defense-duel'))\n"
    )
    command = [sys.executable, "-c", program]
    subprocess.run(command, check=True)  # noqa: S603 # our own program
