"""Two-player games from their rule books: `list_games()` lists them, `load(name)` returns one.

Each name is imported on first use, so that `import duelbook` is fast.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers treat it as true; importing it from typing takes time
if TYPE_CHECKING:
    from duelbook.catalog.registry import list_games, load
    from duelbook.errors import DuelbookError, IllegalMove, InvalidMove
    from duelbook.outcome import DRAW, Outcome
    from duelbook.play.match import Match
    from duelbook.position import CHANCE, HIDDEN, Position
    from duelbook.research.evaluation import evaluate
    from duelbook.research.simulation import simulate
    from duelbook.research.vector_env import VectorEnv
    from duelbook.solver.resources import Resources
    from duelbook.solver.solve import solve

__all__ = [
    "CHANCE",
    "DRAW",
    "HIDDEN",
    "DuelbookError",
    "IllegalMove",
    "InvalidMove",
    "Match",
    "Outcome",
    "Position",
    "Resources",
    "VectorEnv",
    "evaluate",
    "list_games",
    "load",
    "simulate",
    "solve",
]
__version__ = "0.1.0"

_HOMES = {
    "DRAW": "outcome",
    "HIDDEN": "hidden",
    "DuelbookError": "errors",
    "IllegalMove": "errors",
    "InvalidMove": "errors",
    "CHANCE": "position",
    "Match": "play.match",
    "Outcome": "outcome",
    "Position": "position",
    "Resources": "solver.resources",
    "VectorEnv": "research.vector_env",
    "evaluate": "research.evaluation",
    "list_games": "catalog.registry",
    "load": "catalog.registry",
    "simulate": "research.simulation",
    "solve": "solver.solve",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"duelbook.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
