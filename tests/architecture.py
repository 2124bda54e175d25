"""The layers of the source, top to bottom, and who may import whom.

`tests/test_architecture.py` holds the code to this table, and the map in CONTRIBUTING.md to its
words.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duelbook

SOURCE = Path(duelbook.__file__).parent
STANDARD = set(sys.stdlib_module_names)
MODULE_NAME = re.compile(r"duelbook(\.\w+)+(:\w+)?")


@dataclass(frozen=True)
class Layer:
    """A module or a folder: what it is for, and what it may import besides itself."""

    about: str
    may_import: tuple[str, ...] = ()
    third_parties: tuple[str, ...] = ()


CORE = (
    *("errors", "growing", "hidden", "listener", "luck", "outcome", "position", "scene"),
    *("secrecy", "ranges"),
)
LAYERS = {
    "errors": Layer("the exception classes; each carries a sentence for the player"),
    "growing": Layer("a tuple that grows: longer ones share their items with shorter ones"),
    "hidden": Layer("HIDDEN, the mark that stands where a seat may not look"),
    "listener": Layer("who hears a text: `you` for the listener, and the name of everyone else"),
    "outcome": Layer("how a game ended: who won or nobody, why, and what it pays"),
    "ranges": Layer("what a field may hold"),
    "scene": Layer("the vocabulary of pictures", ("hidden",)),
    "default_scene": Layer("the picture of a game that draws none", ("hidden", "scene")),
    "position": Layer(
        "a game is a frozen class, a position its instance",
        ("errors", "hidden", "listener", "outcome", "ranges", "scene", "default_scene"),
    ),
    "luck": Layer("draws from a generator, or from a seed that anyone can check", ("position",)),
    "secrecy": Layer(
        "what follows from `view`: secret, sealed, hidden", ("growing", "hidden", "position")
    ),
    "cluster": Layer("a connection to a Ray cluster", ("errors",), ("ray",)),
    "parent_process": Layer("worker processes end with the process that started them"),
    "files": Layer("the home folder, and files written whole or not at all", ("errors",)),
    "games": Layer(
        "one file a game, its rules page beside it; nothing above names one",
        ("position", "ranges", "scene"),
    ),
    "games.vectors": Layer("the same rules over arrays", ("games",), ("numpy",)),
    "catalog": Layer(
        "finding and loading games: registry, files, Gym-style classes",
        (*CORE, "games"),
        ("numpy",),
    ),
    "play": Layer(
        "match, series, names, typed moves, saves: what every front end needs",
        (*CORE, "files", "catalog"),
    ),
    "exact": Layer(
        "tables, vectors, backward induction, matrix games, search, solver, cache",
        (*CORE, "cluster", "parent_process", "files", "catalog"),
        ("numba", "numpy", "scipy"),
    ),
    "players": Layer("who plays: levels, MCTS, minimax, random", (*CORE, "play", "exact")),
    "research": Layer(
        "policies, observations, playouts, simulation, best replies, evaluation",
        (*CORE, "catalog", "exact", "players"),
        ("numba", "numpy", "scipy"),
    ),
    "conformance": Layer("what a game must be", (*CORE, "catalog", "exact", "research")),
    "templates": Layer("the files that `duelbook new` writes", ("errors",)),
    "adapters": Layer(
        "the games inside other frameworks, a module each",
        (*CORE, "catalog", "play", "players", "research"),
        ("gymnasium", "numpy", "pettingzoo", "pyspiel"),
    ),
    "study": Layer(
        "verdicts, hints, analysis, book checks, reports",
        (*CORE, "play", "exact", "players", "research"),
        ("numpy",),
    ),
    "audit": Layer(
        "other people's games: each file in a process of its own",
        (*CORE, "cluster", "catalog", "exact", "conformance", "study"),
        ("numpy",),
    ),
    "arena": Layer(
        "tournaments: cups, language models as players, measures",
        (
            *(*CORE, "cluster", "parent_process", "files", "catalog", "play", "exact"),
            *("players", "research", "study"),
        ),
        ("httpx", "numpy", "scipy", "zstandard"),
    ),
    "terminal": Layer(
        "play in line mode: screen, keyboard, pictures, menu",
        (*CORE, "files", "catalog", "play", "players", "study", "arena"),
        ("click",),
    ),
    "web": Layer(
        "the contract of browser play: protocol, routes, schema; logs and metrics",
        (*CORE, "catalog", "players"),
        ("msgspec", "prometheus_client"),
    ),
    "web.client": Layer(
        "the client for programs, `duelbook join` and `duelbook host`",
        (*CORE, "files", "catalog", "play", "players", "arena", "terminal", "web"),
        ("msgspec", "websockets"),
    ),
    "table": Layer(
        "the full-screen table: board, choices, dialogs, review",
        (*CORE, "files", "catalog", "play", "players", "study", "terminal", "web", "web.client"),
        ("rich", "textual"),
    ),
    "web.rooms": Layer(
        "a game on the server: events, commands, presence, views, engines, store",
        (*CORE, "parent_process", "catalog", "play", "players", "study", "web"),
        ("alembic", "msgspec", "redis", "sqlalchemy"),
    ),
    "web.server": Layer(
        "requests, WebSockets, middleware, limits, settings",
        (*CORE, "files", "catalog", "play", "web", "web.rooms"),
        ("markdown_it", "msgspec", "segno", "starlette", "uvicorn", "websockets"),
    ),
    "agents": Layer(
        "the games for agents, over the Model Context Protocol",
        (*CORE, "catalog", "play", "players", "audit", "web.rooms"),
        ("mcp", "mcp_types", "pydantic", "uvicorn"),
    ),
    "cli": Layer(
        "the commands, a module for each group",
        (
            *(*CORE, "files", "catalog", "play", "exact", "players", "research", "conformance"),
            *("templates", "study", "audit", "arena", "terminal", "table", "web.client"),
            *("web.server", "agents", ""),
        ),
        ("click",),
    ),
    "": Layer(
        "`import duelbook`: the public names",
        (*CORE, "games", "catalog", "play", "exact", "research"),
    ),
}
DYNAMIC = {
    "": "the public names, each listed with its module",
    "catalog.registry": "the games: the package, the files in it",
    "catalog.loader": "a module that someone names",
    "catalog.gym_stub": "Gymnasium, where it is installed",
    "exact.vectors": "the module that a game names in `vectors`",
    "cli": "the modules of the commands, each listed with its name",
}
"""Who imports modules by a name that is worked out, and what they get."""


@dataclass(frozen=True)
class Imported:
    """Something that a module imports, and how."""

    name: str
    dynamic: bool = False
    """Whether the name is worked out when the program runs."""
    in_text: bool = False
    """Whether the name stands in a text, for others to import."""


def module_of(file: Path) -> str:
    """Return the name of a module below `duelbook`: empty for the package itself."""
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts).removesuffix("__init__").removesuffix(".")


def layer_of(module: str) -> str:
    """Return the layer that a module belongs to: the longest one whose name it begins with."""
    names = [name for name in LAYERS if name and f"{module}.".startswith(f"{name}.")]
    if names:
        return max(names, key=len)
    if module:
        raise KeyError(f"{module} is in no layer: give it one in tests/architecture.py")
    return ""


@cache
def imports(source: str) -> set[Imported]:
    """Return all that a module imports: at its top, in functions, by call or by a name in text."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                found |= {Imported(alias.name) for alias in names}
            case ast.ImportFrom(str(module), names):
                wanted = [alias.name for alias in names if alias.name != "__version__"]
                found |= {Imported(_submodule(module, name)) for name in wanted}
            case ast.Call(ast.Name("import_module" | "__import__"), [argument, *_]):
                if not isinstance(argument, ast.Constant):
                    found.add(Imported("", dynamic=True))
                else:
                    found.add(Imported(str(argument.value)))
            case ast.Constant(str(text)) if MODULE_NAME.fullmatch(text):
                found.add(Imported(text.partition(":")[0], in_text=True))
    return found


def _submodule(module: str, name: str) -> str:
    place = SOURCE.joinpath(*module.split(".")[1:], name)
    is_module = place.with_suffix(".py").is_file() or place.is_dir()
    return f"{module}.{name}" if module.startswith("duelbook") and is_module else module


def wrong_imports(module: str, source: str) -> list[str]:
    """Return what a module imports and may not."""
    layer = layer_of(module)
    allowed = {layer, *LAYERS[layer].may_import}
    wrong = []
    for one in imports(source):
        top, _, rest = one.name.partition(".")
        if one.dynamic:
            if module not in DYNAMIC:
                wrong.append(f"{module} imports a module by a name that is worked out")
        elif top == "duelbook":
            own_vectors = one.in_text and rest == module.replace("games.", "games.vectors.")
            if layer_of(rest) not in allowed and not own_vectors:
                wrong.append(f"{module} imports {one.name}")
        elif top not in STANDARD and top not in LAYERS[layer].third_parties:
            wrong.append(f"{module} imports {one.name}")
    return sorted(wrong)


def contributing_map() -> str:
    """Return the map of the source as CONTRIBUTING.md shows it."""
    names = {name: f"{name.replace('.', '/')}{_ending(name)}" for name in LAYERS if name}
    width = max(map(len, names.values()))
    return "\n".join(f"    {names[n]:<{width}}  {LAYERS[n].about}" for n in names)


def _ending(name: str) -> str:
    return "/" if SOURCE.joinpath(*name.split(".")).is_dir() else ".py"
