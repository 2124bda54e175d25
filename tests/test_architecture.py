"""Imports go down the layers, and modules, classes and names stay within their limits."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import duelbook
from architecture import (
    DYNAMIC,
    LAYERS,
    MAX_FOLDER_MODULES,
    SOURCE,
    contributing_map,
    imports,
    layer_of,
    long_classes,
    module_of,
    public_classes,
    unexplained_imports,
    wrong_imports,
)
from paths import ROOT

FILES = sorted(SOURCE.rglob("*.py"))


def test_imports_go_down_the_layers() -> None:
    wrong = [name for file in FILES for name in wrong_imports(module_of(file), file.read_text())]
    assert wrong == []


def test_no_folder_has_too_many_modules() -> None:
    modules = Counter(file.parent for file in FILES if not file.name.startswith("__"))
    assert [folder for folder, number in modules.items() if number > MAX_FOLDER_MODULES] == []


def test_no_class_is_too_long() -> None:
    lengths: dict[str, int] = {}
    for file in FILES:
        lengths |= long_classes(module_of(file), file.read_text())
    assert lengths == {}


def test_public_class_names_are_unique() -> None:
    modules: dict[str, list[str]] = {}
    for file in FILES:
        for name in public_classes(file.read_text()):
            modules.setdefault(name, []).append(module_of(file))
    reused = {name: places for name, places in modules.items() if len(places) > 1}
    assert reused == {}


def test_an_import_inside_a_function_has_a_comment() -> None:
    sources = {module_of(file): file.read_text() for file in FILES}
    assert [text for item in sources.items() for text in unexplained_imports(*item)] == []


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
        ("web.client.game_client", "import duelbook.web.games.state.room"),
        ("terminal.session", "from duelbook.web.games.state import room"),
        ("play.saves", "import numpy"),
    ],
)
def test_a_wrong_import_is_detected(module: str, source: str) -> None:
    assert wrong_imports(module, source)


def test_a_module_without_a_layer_is_detected() -> None:
    with pytest.raises(KeyError, match="in no layer"):
        wrong_imports("arcade.game", "")


def test_a_layer_imports_only_layers_above_it() -> None:
    order = list(LAYERS)
    for name, layer in LAYERS.items():
        below = [other for other in layer.may_import if other or name != "cli"]
        assert all(order.index(other) < order.index(name) for other in below), name


def test_no_two_modules_import_each_other() -> None:
    graph = {module_of(file): set(_own_imports(file)) for file in FILES}
    while leaves := {module for module, needs in graph.items() if not needs & graph.keys()}:
        graph = {module: needs for module, needs in graph.items() if module not in leaves}
    assert not graph, f"a cycle is among {sorted(graph)}"


def _own_imports(file: Path) -> Iterator[str]:
    for imported in imports(file.read_text()):
        if imported.name.startswith("duelbook.") and not imported.in_text:
            yield imported.name.removeprefix("duelbook.")


def test_modules_that_compute_import_names_are_listed() -> None:
    modules = {module_of(f) for f in FILES if any(i.dynamic for i in imports(f.read_text()))}
    assert modules == set(DYNAMIC)


def test_the_map_in_contributing_matches_the_layers() -> None:
    assert contributing_map() in (ROOT / "CONTRIBUTING.md").read_text(), contributing_map()


def test_only_games_name_a_game() -> None:
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
