"""Finding games: the files in `games/`, and what other packages offer as entry points."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import partial
from importlib import import_module

from duelbook.errors import DuelbookError, UnknownGame
from duelbook.position import Position

ENTRY_POINTS = "duelbook.games"
PACKAGE = "duelbook.games"
Getter = Callable[[], type[Position]]


def games() -> tuple[type[Position], ...]:
    """Every game there is, built in or installed, in the order of their titles."""
    found = [get() for get in (_offered() | _built_in()).values()]
    return tuple(sorted(found, key=lambda game: game.title))


def load(name: str) -> type[Position]:
    """Return the game with this slug, or the only one whose slug contains it."""
    wanted = "-".join(name.lower().replace("_", " ").replace("-", " ").split())
    built_in = _built_in()
    if wanted in built_in:  # the usual case, without the cost of looking for other packages
        return built_in[wanted]()
    known = _offered() | built_in
    if wanted in known:
        return known[wanted]()
    close = [slug for slug in known if wanted and wanted in slug]
    if len(close) == 1:
        return known[close[0]]()
    if close:
        raise UnknownGame(f"{name!r:.40} could be any of: {', '.join(sorted(close))}.")
    raise UnknownGame(f"There is no game {name!r:.40}. The games are: {', '.join(sorted(known))}.")


def game_of(game: object) -> type[Position]:
    """Return a game that may be given by its name."""
    if isinstance(game, str):
        return load(game)
    if isinstance(game, type) and issubclass(game, Position):
        return game
    raise DuelbookError(f"A game is a class derived from Position, or its name, not {game!r:.60}.")


def _built_in() -> dict[str, Getter]:
    """Map slugs to the games in `games/`; a file's name is its slug, so none is imported yet."""
    modules = pkgutil.iter_modules(import_module(PACKAGE).__path__)
    names = [module.name for module in modules if not module.ispkg]
    return {name.replace("_", "-"): partial(_game_in, f"{PACKAGE}.{name}") for name in names}


def _game_in(module: str) -> type[Position]:
    for value in vars(import_module(module)).values():
        if isinstance(value, type) and issubclass(value, Position) and value.__module__ == module:
            return value
    raise UnknownGame(f"There is no game in {module}.")


def _offered() -> dict[str, Getter]:
    """Map slugs to the games of other packages; an entry point's name is its slug."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return {point.name: point.load for point in entry_points(group=ENTRY_POINTS)}
