"""Players by name: computer players, classes, saved policies, programs and language models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duelbook import players
from duelbook.arena.tournament.tournament_file import GameLimits, Tournament, beside, read
from duelbook.catalog import loader
from duelbook.catalog.faults import error_text
from duelbook.errors import DuelbookError
from duelbook.players import Player, adapt
from duelbook.players.external.programs import Program
from duelbook.players.llm.prices import Prices
from duelbook.players.llm.prompt import Prompt
from duelbook.system import files

if TYPE_CHECKING:
    from duelbook.players.llm.journal import Journal
    from duelbook.players.llm.llm_player import LlmPlayer

PROGRAM, MODEL, TOURNAMENT = "cmd:", "llm:", ".toml:"


@dataclass(frozen=True)
class Models:
    """The prompt, prices and journal that the language models of a tournament share."""

    prompt: Prompt | None = None
    prices: Prices | None = None
    journal: Journal | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    """The files that the tournament names for language models."""

    @classmethod
    def read(cls, tournament: Tournament, find: Callable[[str], Path]) -> Models:
        """Read the settings for language models; `find` returns the path of a named file."""
        _check_extra()
        named = [
            name
            for name in (tournament.prompt.get("file"), tournament.prices)
            if isinstance(name, str)
        ]
        files = {name: find(name) for name in named if name}
        switches = dict(tournament.prompt)
        if switches.get("file") in files:
            switches["file"] = str(files[switches["file"]])
        prices = Prices.read(files[tournament.prices]) if tournament.prices else None
        return cls(Prompt.read(switches), prices, files=files)

    def player(self, name: str, settings: Mapping[str, Any]) -> LlmPlayer:
        """Return a language model as a player."""
        _check_extra()
        from duelbook.players.llm.llm_player import llm_player  # needs the extra `arena`

        return llm_player(name, settings, self.prompt, self.prices, self.journal)


def _check_extra() -> None:
    """Refuse language models without the packages that they need."""
    for module in ("httpx", "zstandard"):
        if find_spec(module) is None:
            raise DuelbookError(
                f"This needs {module}, which is not installed: pip install 'duelbook[arena]'."
            )


def player_by_name(
    name: str,
    settings: Mapping[str, Any] | None = None,
    *,
    limits: GameLimits | None = None,
    models: Models | None = None,
) -> Player:
    """Return a player by its name.

    The name belongs to a computer player (`mcts:1000`), a class (`module:Class` or
    `file.py:Class`), a saved policy (`policy.npz`), a program (`cmd:./bot`), or a language model
    (`llm:MODEL@URL`). `tournament.toml:LABEL` is a player of a tournament with all its settings.
    """
    settings, limits = settings or {}, limits or GameLimits()
    if name.startswith(MODEL):
        return (models or Models()).player(name, settings)
    if name.startswith(PROGRAM):
        _no_settings(name, settings)
        return Program(name.removeprefix(PROGRAM), limits.seconds)
    if TOURNAMENT in name:
        _no_settings(name, settings)
        return _of_tournament(name)
    if name.endswith(".npz"):
        from duelbook.research.saved_policies import SavedPolicy  # needs NumPy

        _no_settings(name, settings)
        return SavedPolicy(name)
    if _is_file(name.rpartition(":")[0]) or (_names_class(name) and not players.knows(name)):
        return _of_class(name, settings)
    _no_settings(name, settings)
    return players.make(name)


def _is_file(place: str) -> bool:
    return place.endswith(".py") or "/" in place


def _names_class(name: str) -> bool:
    """Return whether a name may be that of a class; a misspelt `mtcs:100` is not."""
    module, _, class_name = name.rpartition(":")
    return bool(module) and class_name.isidentifier()


def is_model(name: str) -> bool:
    """Return whether a name is that of a language model."""
    return name.startswith(MODEL)


def _no_settings(name: str, settings: Mapping[str, Any]) -> None:
    for key in settings:
        raise DuelbookError(f"The player {name} has no setting `{key}`.")


def _of_tournament(name: str) -> Player:
    """Return a player of a tournament, with its settings and the tournament's prompt and limits."""
    file, _, label = name.partition(TOURNAMENT)
    where = files.path(f"{file}{TOURNAMENT[:-1]}")
    tournament = read(where)
    for entry in tournament.players:
        if entry.label == label and TOURNAMENT not in entry.name:
            models = (
                Models.read(tournament, partial(beside, where)) if is_model(entry.name) else None
            )
            return player_by_name(
                entry.name, entry.settings, limits=tournament.limits, models=models
            )
    known = ", ".join(entry.label for entry in tournament.players)
    raise DuelbookError(f"There is no player {label!r:.40} in the tournament, only: {known}.")


def _of_class(name: str, settings: Mapping[str, Any]) -> Player:
    """Return an instance of a class; the settings are its arguments."""
    place, _, class_name = name.rpartition(":")
    module = loader.from_file(place) if _is_file(place) else loader.from_name(place)
    kind = getattr(module, class_name, None)
    if not isinstance(kind, type) or not hasattr(kind, "choose"):
        raise DuelbookError(
            f"There is no player {class_name!r:.40} in {place}: no class with `choose`."
        )
    try:
        player = kind(**settings)
    except Exception as error:
        raise DuelbookError(f"The player {name} cannot be created: {error_text(error)}.") from error
    return adapt(player)
