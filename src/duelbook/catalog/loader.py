"""Load a game from a Python file or module; loading runs its code."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from duelbook.catalog.faults import error_text, line_of
from duelbook.catalog.gym.gym_stub import with_gym_stub
from duelbook.errors import UnknownGame
from duelbook.position import Position

Getter = Callable[[], type[Position]]

PREFIX = "duelbook_file_"


def load(name: str) -> type[Position]:
    """Return the game in `path/to/file.py`, `path/to/file.py:Class` or `module:Class`."""
    place, class_name = _place_and_class(name)
    module = from_file(place) if _is_file(place) else from_name(place)
    return _game_in(module, class_name, place)


def absolute_name(name: str) -> str:
    """Return a name of a game that is valid in every folder: a file has its absolute path."""
    place, class_name = _place_and_class(name)
    if not _is_file(place):
        return name
    file = str(Path(place).expanduser().resolve())
    return f"{file}:{class_name}" if class_name else file


def _place_and_class(name: str) -> tuple[str, str]:
    place, colon, class_name = name.rpartition(":")
    if not colon or "/" in class_name or "\\" in class_name:  # no colon, or a Windows drive
        return name, ""
    return place, class_name


def _is_file(place: str) -> bool:
    return place.endswith(".py") or "/" in place or "\\" in place


def from_file(name: str) -> ModuleType:
    """Return the module in a file, loaded once."""
    file = Path(name).expanduser()
    if not file.is_file():
        raise UnknownGame(f"There is no file {file}.")
    where = file.resolve()
    name = module_name(where)
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, where)
    if spec is None or spec.loader is None:
        raise UnknownGame(f"{file} is not a Python file.")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look up their module here
    try:
        with with_gym_stub(where.read_text(encoding="utf-8", errors="replace")):
            spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise UnknownGame(f"{file} cannot be loaded: {_describe(error, str(where))}") from error
    return module


def module_name(file: Path) -> str:
    """Return the module name for a file; it depends on the folder, too."""
    return f"{PREFIX}{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"


def beside(game: type[Position], name: str) -> ModuleType | None:
    """Return the module with this name from the folder of a game; it may import the game."""
    if not game.__module__.startswith(PREFIX) or name == game.__module__:
        return None
    module = sys.modules[game.__module__]
    home = Path(str(module.__file__))
    file = home.with_name(f"{name}.py")
    if not file.is_file():
        return None
    before = sys.modules.get(home.stem)
    sys.modules[home.stem] = module  # otherwise the game's class would exist twice
    try:
        return from_file(str(file))
    finally:
        del sys.modules[home.stem]
        if before is not None:
            sys.modules[home.stem] = before


def from_name(name: str) -> ModuleType:
    """Return a module by its name."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise UnknownGame(f"There is no module {error.name}.") from error
    except Exception as error:
        raise UnknownGame(f"The module {name} cannot be loaded: {error_text(error)}.") from error


def _describe(error: BaseException, file: str) -> str:
    """Return the text of an error, and its line in a file."""
    line = line_of(error, file)
    text = error.msg if isinstance(error, SyntaxError) and line is not None else error_text(error)
    return f"{text}." if line is None else f"line {line}: {text}."


def _game_in(module: ModuleType, class_name: str, place: str) -> type[Position]:
    games = _games_in(module) or _environments_in(module)
    if class_name:
        if class_name not in games:
            known = ", ".join(games) or "none"
            raise UnknownGame(f"There is no game {class_name!r:.40} in {place}, only: {known}.")
        return games[class_name]()
    if not games:
        raise UnknownGame(
            f"There is no game in {place}: no class derived from Position, "
            "and none with reset, step and valid_moves."
        )
    if len(games) > 1:
        first, *_ = games
        raise UnknownGame(
            f"There is more than one game in {place}: {', '.join(games)}. "
            f"Name one, as in {place}:{first}."
        )
    return next(iter(games.values()))()


def _games_in(module: ModuleType) -> dict[str, Getter]:
    return {
        name: lambda value=value: value  # type: ignore[misc]
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Position)
        and value.__module__ == module.__name__
        and "ACTIONS" in dir(value)
    }


def _environments_in(module: ModuleType) -> dict[str, Getter]:
    from duelbook.catalog.gym import gym_games  # needs NumPy, unlike our own games

    return gym_games.environments_in(module)


def authors_line(error: BaseException) -> str | None:
    """Return an error with its line in a game's file; None if other code raised it."""
    for name, module in list(sys.modules.items()):
        if name.startswith(PREFIX) and (line := line_of(error, str(module.__file__))):
            return f"{Path(str(module.__file__)).name} fails in line {line}: {error_text(error)}."
    return None
