"""The layers of the source, top to bottom, and the limits on modules, classes and names.

`tests/test_architecture.py` compares the code, and the map in CONTRIBUTING.md, with this table.
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
    """A module or a folder: its purpose, and the layers and packages that it may import."""

    about: str
    may_import: tuple[str, ...] = ()
    third_parties: tuple[str, ...] = ()


CORE = (
    *("errors", "growing_tuple", "hidden", "listener", "chance", "outcome", "position", "scene"),
    *("secrecy", "ranges"),
)
LAYERS = {
    "errors": Layer("the exception classes; each carries a sentence for the player"),
    "growing_tuple": Layer("a tuple that grows and shares its items with shorter ones"),
    "hidden": Layer("HIDDEN, the mark for what a seat may not know"),
    "listener": Layer("who hears a text: `you` for the listener, a name for everyone else"),
    "outcome": Layer("how a game ended: winner or draw, reason, payoff"),
    "ranges": Layer("the values that a field may hold"),
    "scene": Layer("the shapes of pictures", ("hidden",)),
    "default_scene": Layer("the picture of a game that draws none", ("hidden", "scene")),
    "scene_svg": Layer("a picture as SVG, for notebooks", ("hidden", "scene")),
    "position": Layer(
        "a game is a frozen class, a position is an instance of it",
        (
            *("errors", "hidden", "listener", "outcome", "ranges", "scene", "default_scene"),
            "scene_svg",
        ),
    ),
    "chance": Layer("draw a chance move, from a generator or a verifiable seed", ("position",)),
    "secrecy": Layer(
        "what follows from `view`: hidden choices, records of a seat",
        ("growing_tuple", "hidden", "position"),
    ),
    "system": Layer(
        "the operating system: files, logs, child processes, Ray clusters", ("errors",), ("ray",)
    ),
    "games": Layer(
        "one file per game, its rules page beside it; nothing else names a game",
        ("position", "ranges", "scene"),
    ),
    "games.vectors": Layer("the same rules over arrays", ("games",), ("numpy",)),
    "catalog": Layer(
        "find and load games: registry, files; `gym/` for Gym-style classes",
        (*CORE, "games"),
        ("numpy",),
    ),
    "play": Layer(
        "match, series, names, typed moves, saves: what every front end needs",
        (*CORE, "system", "catalog"),
    ),
    "solver": Layer(
        "`solve`; `tables/`, `enumeration/`, `backends/`, `values/`, `imperfect/`",
        (*CORE, "system", "catalog"),
        ("numba", "numpy", "scipy"),
    ),
    "encoding": Layer(
        "views as numbers: observations, kinds of values", (*CORE, "solver"), ("numpy",)
    ),
    "players": Layer("built-in players: levels, MCTS, minimax, random", (*CORE, "play", "solver")),
    "research": Layer(
        "policies, playouts, simulation, best responses, evaluation, VectorEnv",
        (*CORE, "catalog", "solver", "encoding", "players"),
        ("numba", "numpy", "scipy"),
    ),
    "arena.tournament.tournament_file": Layer("tournament files, read and validated", ("errors",)),
    "players.llm": Layer(
        "language models as players: prompt, client, answers, prices",
        (*CORE, "play", "players"),
        ("httpx", "zstandard"),
    ),
    "players.external": Layer(
        "players by name: programs, classes, saved policies, language models",
        (
            *(*CORE, "system", "catalog", "play", "players", "research", "players.llm"),
            "arena.tournament.tournament_file",
        ),
    ),
    "conformance": Layer(
        "checks of the requirements for games", (*CORE, "catalog", "solver", "encoding")
    ),
    "templates": Layer("the files that `duelbook new` writes", ("errors",)),
    "adapters": Layer(
        "the games in other frameworks, one module each",
        (*CORE, "catalog", "play", "encoding", "players"),
        ("gymnasium", "numpy", "pettingzoo", "pyspiel"),
    ),
    "analysis": Layer(
        "verdicts, hints, game analysis, claims, metrics, reports",
        (*CORE, "play", "solver", "players", "research"),
        ("numpy",),
    ),
    "compute": Layer(
        "worker processes and time slices for long computations; used by web and MCP",
        (
            *CORE,
            "system",
            "system",
            "catalog",
            "play",
            "players",
            "analysis",
        ),
    ),
    "audit": Layer(
        "other people's games; `sandbox/` runs each file in a process of its own",
        (*CORE, "system", "catalog", "solver", "conformance", "analysis"),
        ("numpy",),
    ),
    "arena": Layer(
        "tournaments: `tournament/`, `run/`, `measures/`, `report/`",
        (
            *(*CORE, "system", "catalog", "play", "solver"),
            *("players", "research", "analysis", "players.llm", "players.external"),
            "arena.tournament.tournament_file",
        ),
        ("numpy", "scipy", "zstandard"),
    ),
    "web": Layer(
        "the contract of browser play: protocol, routes, schema; metrics",
        (*CORE, "system", "catalog", "players"),
        ("msgspec", "prometheus_client"),
    ),
    "web.client": Layer(
        "the client for programs",
        (*CORE, "system", "catalog", "players", "web"),
        ("msgspec", "websockets"),
    ),
    "terminal": Layer(
        "line mode, local and online; `console/` reads and writes",
        (
            *(*CORE, "system", "catalog", "play", "players", "players.external", "analysis"),
            *("web", "web.client"),
        ),
        ("click",),
    ),
    "tui": Layer(
        "the full-screen interface: `games/`, `drawing/`, dialogs, review",
        (
            *CORE,
            "system",
            "catalog",
            "play",
            "players",
            "analysis",
            "terminal",
            "web",
            "web.client",
        ),
        ("rich", "textual"),
    ),
    "web.store": Layer(
        "database, writers, backups, uptime, notices between servers",
        (*CORE, "system", "catalog", "play", "web"),
        ("alembic", "msgspec", "redis", "sqlalchemy"),
    ),
    "web.games": Layer(
        "a game on the server: commands, room, commits, broadcasts, views",
        (*CORE, "system", "catalog", "play", "analysis", "compute", "web", "web.store"),
        ("msgspec",),
    ),
    "web.server": Layer(
        "requests, WebSockets, middleware, limits, settings; `page/` serves files",
        (
            *(*CORE, "system", "catalog", "play", "compute", "web", "web.store"),
            "web.games",
        ),
        ("markdown_it", "msgspec", "segno", "starlette", "uvicorn", "websockets"),
    ),
    "mcp_server": Layer(
        "the games for agents, over the Model Context Protocol",
        (*CORE, "catalog", "play", "players", "audit", "compute"),
        ("mcp", "mcp_types", "pydantic", "uvicorn"),
    ),
    "cli": Layer(
        "the commands, one module per group",
        (
            *(*CORE, "system", "catalog", "play", "solver", "encoding", "players", "research"),
            *("players.external", "conformance", "templates", "analysis", "audit", "arena"),
            *("terminal", "tui", "web.client", "web.server", "mcp_server", ""),
        ),
        ("click",),
    ),
    "__main__": Layer("`python -m duelbook`", ("cli",)),
    "": Layer(
        "`import duelbook`: the public names",
        (*CORE, "games", "catalog", "play", "solver", "research"),
    ),
}
DYNAMIC = {
    "": "the public names, each listed with its module",
    "catalog.registry": "the games: the package, the files in it",
    "catalog.loader": "a module that someone names",
    "catalog.gym.gym_stub": "Gymnasium, where it is installed",
    "solver.tables.array_rules": "the module that a game names in `vectors`",
    "cli": "the modules of the commands, each listed with its name",
}
"""The modules that compute the name of an import, and the purpose of that import."""


MAX_FOLDER_MODULES = 15
MAX_CLASS_LINES = 300


@dataclass(frozen=True)
class Imported:
    """A module that another one imports."""

    name: str
    dynamic: bool = False
    """True if the program computes the name."""
    in_text: bool = False
    """True if the name is in a string, from which other code imports it."""


def module_of(file: Path) -> str:
    """Return the name of a module below `duelbook`: empty for the package itself."""
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts).removesuffix("__init__").removesuffix(".")


def layer_of(module: str) -> str:
    """Return the layer of a module: the one with the longest name that is a prefix of its name."""
    names = [name for name in LAYERS if name and f"{module}.".startswith(f"{name}.")]
    if names:
        return max(names, key=len)
    if module:
        raise KeyError(f"{module} is in no layer: give it one in tests/support/architecture.py")
    return ""


@cache
def imports(source: str) -> set[Imported]:
    """Return all imports of a module: at its top, in functions, by call or by name in a string."""
    imported = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                imported |= {Imported(alias.name) for alias in names}
            case ast.ImportFrom(str(module), names):
                public = [alias.name for alias in names if alias.name != "__version__"]
                imported |= {Imported(_submodule(module, name)) for name in public}
            case ast.Call(ast.Name("import_module" | "__import__"), [argument, *_]):
                if not isinstance(argument, ast.Constant):
                    imported.add(Imported("", dynamic=True))
                else:
                    imported.add(Imported(str(argument.value)))
            case ast.Constant(str(text)) if MODULE_NAME.fullmatch(text):
                imported.add(Imported(text.partition(":")[0], in_text=True))
    return imported


def _submodule(module: str, name: str) -> str:
    place = SOURCE.joinpath(*module.split(".")[1:], name)
    is_module = place.with_suffix(".py").is_file() or place.is_dir()
    return f"{module}.{name}" if module.startswith("duelbook") and is_module else module


def wrong_imports(module: str, source: str) -> list[str]:
    """Return the imports of a module that its layer forbids."""
    layer = layer_of(module)
    allowed = {layer, *LAYERS[layer].may_import}
    wrong = []
    for imported in imports(source):
        top, _, rest = imported.name.partition(".")
        if imported.dynamic:
            if module not in DYNAMIC:
                wrong.append(f"{module} computes the name of an import")
        elif top == "duelbook":
            own_vectors = imported.in_text and rest == module.replace("games.", "games.vectors.")
            if layer_of(rest) not in allowed and not own_vectors:
                wrong.append(f"{module} imports {imported.name}")
        elif top not in STANDARD and top not in LAYERS[layer].third_parties:
            wrong.append(f"{module} imports {imported.name}")
    return sorted(wrong)


def contributing_map() -> str:
    """Return the map of the source as CONTRIBUTING.md shows it."""
    names = {name: f"{name.replace('.', '/')}{_ending(name)}" for name in LAYERS if name}
    width = max(map(len, names.values()))
    return "\n".join(f"    {names[n]:<{width}}  {LAYERS[n].about}" for n in names)


def _ending(name: str) -> str:
    return "/" if SOURCE.joinpath(*name.split(".")).is_dir() else ".py"


def long_classes(module: str, source: str) -> dict[str, int]:
    """Return the classes above the limit, with their lengths in lines."""
    return {
        f"{module}.{node.name}": length
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > MAX_CLASS_LINES
    }


def public_classes(source: str) -> list[str]:
    """Return the names of the public classes at the top level of a module."""
    tree = ast.parse(source)
    return [n.name for n in tree.body if isinstance(n, ast.ClassDef) and n.name[0] != "_"]


def unexplained_imports(module: str, source: str) -> list[str]:
    """Return the imports inside functions that no comment explains.

    One comment, on the line of an import or above it, explains all imports of its function.
    """
    lines, unexplained = source.splitlines(), []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        imported = [n for n in ast.walk(function) if isinstance(n, ast.Import | ast.ImportFrom)]
        explained = any(
            "#" in line
            for node in imported
            for line in lines[node.lineno - 2 : node.end_lineno]
            if line.strip() and ("import" in line or line.strip().startswith("#"))
        )
        if imported and not explained:
            unexplained.append(f"{module}.{function.name}, line {imported[0].lineno}")
    return unexplained
