"""Imports go one way, down the layers, and nothing above the games names one."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import duelbook
from architecture import (
    DYNAMIC,
    LAYERS,
    SOURCE,
    contributing_map,
    imports,
    layer_of,
    module_of,
    wrong_imports,
)
from paths import ROOT

FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_imports_go_one_way(file: Path) -> None:
    assert wrong_imports(module_of(file), file.read_text()) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("position", "from duelbook.play.match import Match"),
        ("games.tower_defense_duel", "from duelbook.games.vectors import galaxy_conquest"),
        ("solver.solution", "def solve():\n    from duelbook import players"),
        (
            "play.match",
            "from importlib import import_module\nimport_module(name)",
        ),
        (
            "catalog.registry",
            "import_module('duelbook.solver')",
        ),
        ("web", "from duelbook.web.server import app"),
        ("web.games.hub", "uvicorn.run('duelbook.web.server.run_server:application')"),
        ("web.client.game_client", "import duelbook.web.games.room"),
        ("terminal.session", "from duelbook.web.games import room"),
        ("play.saves", "import numpy"),
    ],
)
def test_an_import_the_wrong_way_is_seen(module: str, source: str) -> None:
    assert wrong_imports(module, source)


def test_a_module_in_no_layer_is_seen() -> None:
    with pytest.raises(KeyError, match="in no layer"):
        wrong_imports("arcade.game", "")


def test_the_layers_go_down() -> None:
    order = list(LAYERS)
    for name, layer in LAYERS.items():
        below = [other for other in layer.may_import if other or name != "cli"]
        assert all(order.index(other) < order.index(name) for other in below), name


def test_no_two_modules_import_each_other() -> None:
    graph = {module_of(file): set(_ours(file)) for file in FILES}
    while leaves := {module for module, needs in graph.items() if not needs & graph.keys()}:
        graph = {module: needs for module, needs in graph.items() if module not in leaves}
    assert not graph, f"a cycle is among {sorted(graph)}"


def _ours(file: Path) -> Iterator[str]:
    for one in imports(file.read_text()):
        if one.name.startswith("duelbook.") and not one.in_text:
            yield one.name.removeprefix("duelbook.")


def test_who_imports_by_a_name_that_is_worked_out_is_known() -> None:
    found = {
        module_of(file) for file in FILES if any(one.dynamic for one in imports(file.read_text()))
    }
    assert found == set(DYNAMIC)


def test_the_map_for_contributors_is_that_of_the_layers() -> None:
    assert contributing_map() in (ROOT / "CONTRIBUTING.md").read_text(), contributing_map()


def test_nothing_above_the_games_names_one() -> None:
    names = [re.escape(game.title).replace(r"\ ", r"[\W_]*") for game in duelbook.list_games()]
    pattern = re.compile("|".join(names), re.IGNORECASE)
    page = [file for file in (SOURCE / "web" / "static").iterdir() if file.is_file()]
    assert len(page) > 5
    for file in [*FILES, *page]:
        if file.suffix != ".py" or layer_of(module_of(file)).partition(".")[0] != "games":
            assert not pattern.search(file.read_text()), file


@pytest.mark.parametrize("game", duelbook.list_games(), ids=lambda game: str(game.slug))
def test_a_rules_file_stays_readable(game: type[duelbook.Position]) -> None:
    file = SOURCE / "games" / f"{game.slug.replace('-', '_')}.py"
    assert 60 <= len(file.read_text().splitlines()) <= 170


def test_starting_to_play_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['duelbook', 'play', 'tower-defense-duel']\n"
        "from duelbook.cli import main\n"
        "sys.stdin.readline = lambda: print(*sorted(sys.modules)) or sys.exit()\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603 # our own code
    loaded = done.stdout.splitlines()[-1].split()
    assert "duelbook.games.tower_defense_duel" in loaded
    assert not [name for name in loaded if name.startswith("duelbook.games.token")]
    assert not {"importlib.metadata", "json", "asyncio", "rich", "numpy"} & set(loaded)
