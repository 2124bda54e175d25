"""Find games: the files in `games/`, and the entry points of other packages."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module

from duelbook.errors import DuelbookError, UnknownGame
from duelbook.position import Position

ENTRY_POINTS = "duelbook.games"
PACKAGE = "duelbook.games"
Getter = Callable[[], type[Position]]


def list_games() -> tuple[type[Position], ...]:
    """Return all built-in and installed games, sorted by title."""
    games = []
    for get in (_installed() | _built_in()).values():
        with suppress(UnknownGame):  # a conflict of two packages must not hide the other games
            games.append(get())
    return tuple(sorted(games, key=lambda game: game.title))


_loaded: dict[str, type[Position]] = {}
_sources: dict[type[Position], str] = {}


def load(name: str) -> type[Position]:
    """Return a game by its slug or a unique part of it, by its file, or by its class.

    Write a file as `path/to/file.py`, and a class as `module:Class`. Loading either runs its code.
    """
    if ":" in name or "/" in name or "\\" in name or name.endswith(".py"):
        from duelbook.catalog import loader  # rarely needed

        return _remember(loader.load(name), name, loader.absolute_name(name))
    return find(name)


def find(name: str) -> type[Position]:
    """Return a known game by its slug or a unique part of it; run no new code."""
    slug = "-".join(name.lower().replace("_", " ").replace("-", " ").split())
    built_in = _built_in()
    if slug in built_in:  # the usual case, without the slow search of other packages
        return built_in[slug]()
    if slug in _loaded:  # as above
        return _loaded[slug]
    known = _installed() | built_in | {name: partial(_loaded.__getitem__, name) for name in _loaded}
    if slug in known:
        return known[slug]()
    close = [other for other in known if slug and slug in other]
    if len(close) == 1:
        return known[close[0]]()
    if close:
        raise UnknownGame(f"{name!r:.40} could be any of: {', '.join(sorted(close))}.")
    raise UnknownGame(f"There is no game {name!r:.40}. The games are: {', '.join(sorted(known))}.")


def game_of(game: object) -> type[Position]:
    """Return a game, given as a class or by name."""
    if isinstance(game, str):
        return load(game)
    if isinstance(game, type) and issubclass(game, Position):
        return game
    raise DuelbookError(
        f"A game must be a class derived from Position, or a name, not {game!r:.60}."
    )


def _built_in() -> dict[str, Getter]:
    """Map slugs to the games in `games/`, by file name, without importing any."""
    (folder,) = import_module(PACKAGE).__path__
    files = os.listdir(folder)  # noqa: PTH208 # pathlib and pkgutil are slow to import
    names = [file[:-3] for file in files if file.endswith(".py") and not file.startswith("_")]
    return {name.replace("_", "-"): partial(_game_in, f"{PACKAGE}.{name}") for name in names}


def _game_in(module: str) -> type[Position]:
    for value in vars(import_module(module)).values():
        if isinstance(value, type) and issubclass(value, Position) and value.__module__ == module:
            return value
    raise UnknownGame(f"There is no game in {module}.")


def _installed() -> dict[str, Getter]:
    """Map slugs to the games of other packages; an entry point's name is its slug."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    installed: dict[str, Getter] = {}
    for point in entry_points(group=ENTRY_POINTS):
        is_taken = point.name in installed
        installed[point.name] = partial(_refuse, point.name) if is_taken else point.load
    return installed


def _refuse(slug: str) -> type[Position]:
    raise UnknownGame(f"There are two games called {slug}; uninstall the package of one.")


def _remember(game: type[Position], name: str, source: str) -> type[Position]:
    """Register a loaded game by its slug, unless another game has the slug.

    `source` is the name of the game for other processes, which may run in another folder.
    """
    others = _installed() | _built_in()
    other = others[game.slug]() if game.slug in others else _loaded.get(game.slug, game)
    if other is not game:
        raise UnknownGame(f"{name} calls its game {game.title}, but another game has that name.")
    _loaded[game.slug], _sources[game] = game, source
    return game


def source_of(game: type[Position]) -> str:
    """Return the file or class that a game was loaded from; empty if its slug is enough."""
    return _sources.get(game, "")
