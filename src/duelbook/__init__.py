"""Two-player games from their rule books: `duelbook.games()` lists them, `duelbook.load` gets one.

Everything is imported when it is first used, so that `import duelbook` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; importing it from typing takes time
if TYPE_CHECKING:
    from duelbook.errors import DuelbookError, IllegalMove, InvalidMove
    from duelbook.evaluation import evaluate
    from duelbook.match import Match
    from duelbook.position import HIDDEN, Position
    from duelbook.registry import games, load
    from duelbook.simulator import simulate
    from duelbook.solver import solve
    from duelbook.vector_env import VectorEnv
else:
    import duelbook.games  # noqa: F401 # the package, which can be called like the function

__all__ = [
    "HIDDEN",
    "DuelbookError",
    "IllegalMove",
    "InvalidMove",
    "Match",
    "Position",
    "VectorEnv",
    "evaluate",
    "games",
    "load",
    "simulate",
    "solve",
]
__version__ = "0.1.0"

_HOMES = {
    "HIDDEN": "position",
    "DuelbookError": "errors",
    "IllegalMove": "errors",
    "InvalidMove": "errors",
    "Match": "match",
    "Position": "position",
    "VectorEnv": "vector_env",
    "evaluate": "evaluation",
    "load": "registry",
    "simulate": "simulator",
    "solve": "solver",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"duelbook.{_HOMES[name]}"), name)
