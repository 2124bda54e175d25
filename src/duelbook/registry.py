"""Finding games: the files in `games/`, and what other packages offer as entry points."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from duelbook.errors import UnknownGame
from duelbook.position import Position

ENTRY_POINTS = "duelbook.games"
_HERE = "duelbook.games"


def games() -> tuple[type[Position], ...]:
    """Every game there is, in the order of their titles."""
    found = [get() for get in (_built_in() | _offered()).values()]
    return tuple(sorted(found, key=lambda game: game.title))


def load(name: str) -> type[Position]:
    """Return the game with this slug, or the only one whose slug contains it."""
    wanted = "-".join(name.lower().replace("_", " ").replace("-", " ").split())
    built_in = _built_in()
    if wanted in built_in:  # the usual case, without the cost of looking for other packages
        return built_in[wanted]()
    known = built_in | _offered()
    if wanted in known:
        return known[wanted]()
    close = [slug for slug in known if wanted and wanted in slug]
    if len(close) == 1:
        return known[close[0]]()
    if close:
        raise UnknownGame(f"{name!r} could be any of: {', '.join(sorted(close))}.")
    raise UnknownGame(f"There is no game {name!r}. The games are: {', '.join(sorted(known))}.")


Getter = Callable[[], type[Position]]


def _built_in() -> dict[str, Getter]:
    """Map slugs to the games in `games/`; a file's name is its slug, so none is imported yet."""

    def getter(module: str) -> Getter:
        return lambda: next(_defined_in(f"{_HERE}.{module}"))

    path = import_module(_HERE).__path__
    names = [module.name for module in pkgutil.iter_modules(path)]
    return {name.replace("_", "-"): getter(name) for name in names}


def _defined_in(module: str) -> Iterator[type[Position]]:
    for value in vars(import_module(module)).values():
        if isinstance(value, type) and issubclass(value, Position) and value.__module__ == module:
            yield value


def _offered() -> dict[str, Getter]:
    """Map slugs to the games of other packages; an entry point's name is its slug."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return {
        point.name: cast("Getter", lambda point=point: point.load())
        for point in entry_points(group=ENTRY_POINTS)
    }
