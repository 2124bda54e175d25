"""Doors open one way: who may import whom, and nobody above the games names one."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import duelbook

SOURCE = Path(duelbook.__file__).parent
STANDARD = set(sys.stdlib_module_names)

# Each room with the rooms it may look into; what is not listed here may not exist.
DOORS: dict[str, set[str]] = {
    "errors": set(),
    "hidden": set(),
    "scene": {"hidden"},
    "ranges": set(),
    "sketch": {"hidden", "scene"},
    "position": {"errors", "hidden", "ranges", "scene", "sketch"},
    "gym_standin": set(),
    "snapshots": {"errors"},
    "foreign": {"errors", "position", "scene", "snapshots"},
    "loader": {"errors", "foreign", "gym_standin", "position"},
    "registry": {"errors", "loader", "position"},
    "games": {"games", "position", "ranges", "registry", "scene"},
    "secrecy": {"position"},
    "entry": {"errors", "position"},
    "match": {"errors", "position", "secrecy"},
    "series": {"errors", "match", "position"},
    "saves": {"errors", "match", "position", "registry", "series"},
    "tables": {"errors", "position", "registry", "secrecy"},
    "observe": {"errors", "position", "ranges", "secrecy", "tables"},
    "oracle": {"position", "secrecy"},
    "matrix": set(),
    "cache": {"position"},
    "search": {"errors", "oracle", "position", "secrecy"},
    "solver": {"cache", "errors", "matrix", "oracle", "position", "secrecy", "tables"},
    "players": {"errors", "oracle", "players", "position", "search", "secrecy", "solver", "tables"},
    "policies": {"errors", "players", "position", "secrecy", "solver", "tables"},
    "randomness": set(),
    "walk": {"policies", "randomness", "tables"},
    "fast_walk": {"randomness", "walk"},
    "simulator": {
        *("errors", "fast_walk", "policies", "position", "randomness"),
        *("tables", "walk"),
    },
    "chances": {"policies", "tables"},
    "replies": {"errors", "policies", "secrecy", "tables"},
    "evaluation": {"chances", "matrix", "policies", "position", "replies", "solver", "tables"},
    "fast_steps": {"tables"},
    "vector_env": {"errors", "fast_steps", "observe", "position", "simulator", "tables"},
    "conformance": {"errors", "observe", "position", "secrecy", "tables"},
    "authoring": {"errors"},
    "adapters": {
        *("adapters", "errors", "match", "observe", "players", "position"),
        *("registry", "secrecy", "series"),
    },
    "study": {
        *("errors", "match", "oracle", "players", "position", "secrecy"),
        *("series", "simulator", "solver", "study", "tables"),
    },
    "audit": {
        *("audit", "conformance", "errors", "foreign", "loader", "position"),
        *("solver", "study", "tables"),
    },
    "terminal": {
        *("entry", "errors", "hidden", "match", "position", "registry"),
        *("players", "saves", "scene", "secrecy", "series", "study", "terminal"),
    },
    "web": {
        *("errors", "hidden", "match", "players", "position", "registry", "saves", "scene"),
        *("secrecy", "series", "study", "web"),
    },
    "cli": {
        "audit",
        "web",
        *(
            "authoring",
            "conformance",
            "errors",
            "loader",
            "observe",
            "players",
            "position",
            "registry",
            "saves",
            "series",
        ),
        *("simulator", "solver", "study", "tables", "terminal"),
    },
    "__init__": {
        *("errors", "evaluation", "games", "match", "position", "registry"),
        *("simulator", "solver", "vector_env"),
    },
}
THIRD_PARTIES = {
    "games": {"numpy"},  # in games/vectors/ only
    "snapshots": {"numpy"},
    "foreign": {"numpy"},
    "tables": {"numpy"},
    "observe": {"numpy"},
    "matrix": {"numpy", "scipy"},
    "cache": {"numpy"},
    "solver": {"numpy"},
    "policies": {"numpy"},
    "randomness": {"numpy"},
    "walk": {"numpy"},
    "fast_walk": {"numba", "numpy"},
    "simulator": {"numpy"},
    "chances": {"numpy", "scipy"},
    "replies": {"numpy", "scipy"},
    "evaluation": {"numpy"},
    "fast_steps": {"numba", "numpy"},
    "vector_env": {"numpy"},
    "adapters": {"gymnasium", "numpy", "pettingzoo", "pyspiel"},
    "study": {"numpy"},
    "audit": {"numpy", "ray"},
    "terminal": {"click"},
    "web": {
        *("alembic", "markdown_it", "msgspec", "prometheus_client", "redis", "segno"),
        *("sqlalchemy", "starlette", "uvicorn", "websockets"),
    },
    "cli": {"click"},
}


def room(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "duelbook":
                found |= {f"duelbook.{alias.name}" for alias in node.names}
            else:
                found.add(node.module)
    return found - {"duelbook.__version__"}


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_doors_open_one_way(file: Path) -> None:
    here = room(file)
    for name in imports(file):
        top, _, rest = name.partition(".")
        if top == "duelbook":
            assert rest.split(".")[0] in DOORS[here], f"{file.name} imports {name}"
        else:
            assert top in STANDARD | THIRD_PARTIES.get(here, set()), f"{file.name} imports {name}"


def test_the_doors_make_no_circle() -> None:
    order = list(DOORS)
    for name, seen in DOORS.items():
        assert all(order.index(other) < order.index(name) for other in seen - {name})


def test_nothing_above_the_games_names_one() -> None:
    names = [re.escape(game.title).replace(r"\ ", r"[\W_]*") for game in duelbook.games()]
    pattern = re.compile("|".join(names), re.IGNORECASE)
    page = [file for file in (SOURCE / "web" / "static").iterdir() if file.is_file()]
    assert len(page) > 5
    for file in [*FILES, *page]:
        if room(file) not in ("games", "__init__"):
            assert not pattern.search(file.read_text()), file


@pytest.mark.parametrize("game", duelbook.games(), ids=lambda game: str(game.slug))
def test_a_rules_file_stays_readable(game: type[duelbook.Position]) -> None:
    file = SOURCE / "games" / f"{game.slug.replace('-', '_')}.py"
    assert 60 <= len(file.read_text().splitlines()) <= 140


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
