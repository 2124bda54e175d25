"""Two-player games from their rule books: `duelbook.load("tower-defense-duel")` is one of them.

Everything is imported when it is first used, so that `import duelbook` costs next to nothing.
"""

from __future__ import annotations

# The package `games` is imported before the function of that name is defined: Python binds a
# subpackage to its parent once, so from here on `duelbook.games` is the function.
import duelbook.games  # noqa: F401 # imported for its side effect on the name

TYPE_CHECKING = False  # type checkers take it for true; importing it from typing takes time
if TYPE_CHECKING:
    from duelbook.errors import DuelbookError, IllegalMove, InvalidMove
    from duelbook.match import Match
    from duelbook.position import HIDDEN, Position

__all__ = [
    "HIDDEN",
    "DuelbookError",
    "IllegalMove",
    "InvalidMove",
    "Match",
    "Position",
    "games",
    "load",
]
__version__ = "0.1.0"

_HOMES = {
    "HIDDEN": "duelbook.position",
    "DuelbookError": "duelbook.errors",
    "IllegalMove": "duelbook.errors",
    "InvalidMove": "duelbook.errors",
    "Match": "duelbook.match",
    "Position": "duelbook.position",
}


def games() -> tuple[type[Position], ...]:
    """Every game there is, built in or installed, in the order of their titles."""
    from duelbook import registry

    return registry.games()


def load(name: str) -> type[Position]:
    """Return the game with this slug, or the only one whose slug contains it."""
    from duelbook import registry

    return registry.load(name)


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
