"""A tournament in a TOML file: its players, games, rounds and limits."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from duelbook.errors import DuelbookError

T = TypeVar("T")
Pairings = Literal["round robin", "gauntlet"]
MAX_LABEL_LENGTH = 300
CURRENT_NAME, EARLIER_NAME = "tournament.toml", "cup.toml"
"""The name of the tournament file in a folder, and its name before version 0.1.0."""
ANCHORS = ("random", "easy", "hard", "perfect")
"""Players of known strength that take part by default."""


@dataclass(frozen=True)
class TournamentPlayer:
    """A player of a tournament: its name, its label in tables, and its settings."""

    name: str
    label: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    is_anchor: bool = False


@dataclass(frozen=True)
class Openings:
    """The openings of a tournament: the start, and random positions at some depth."""

    start: bool = True
    positions: int = 0
    """The number of random positions of each game; the player to move wins in half of them."""
    depth: tuple[int, int] = (1, 8)
    """The minimum and maximum number of moves before a random position."""


@dataclass(frozen=True)
class GameLimits:
    """The limits of a game."""

    plies: int = 400
    """The maximum number of plies; a longer game is cut, and counts as a draw."""
    seconds: float = 60.0
    """The maximum time for a move; a player that needs longer forfeits the game."""


@dataclass(frozen=True)
class Sprt:
    """The settings of a sequential test over pairs of games, with names from computer chess."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True)
class Tournament:
    """A tournament as its author wrote it."""

    games: tuple[str, ...]
    players: tuple[TournamentPlayer, ...]
    pairings: Pairings = "round robin"
    rounds: int = 1
    openings: Openings = Openings()
    limits: GameLimits = GameLimits()
    prompt: Mapping[str, Any] = field(default_factory=dict)
    """The settings of the prompt for language models; see `players.llm.prompt`."""
    prices: str = ""
    """The file with the prices of a million tokens of each model."""
    concurrency: int = 0
    """The number of games at once; 0 means one per core, or eight with language models."""
    sprt: Sprt | None = None
    seed: int = 0


def read(file: Path) -> Tournament:
    """Return the tournament in a file, or raise an error about the file."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        refuse_earlier_folder(file.parent)
        raise DuelbookError(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise DuelbookError(f"{file} is not text in UTF-8.") from error
    return parse(text, str(file))


def refuse_earlier_folder(folder: Path) -> None:
    """Refuse a folder whose tournament file has the earlier name, so that it has only one file."""
    if (folder / EARLIER_NAME).is_file() and not (folder / CURRENT_NAME).is_file():
        raise DuelbookError(
            f"An earlier version wrote {folder}: rename {EARLIER_NAME} in it to {CURRENT_NAME}."
        )


def beside(tournament: Path, name: str) -> Path:
    """Return a file that a tournament names.

    It is beside the tournament, or beside the tournament's folder.
    """
    for folder in (tournament.parent, tournament.parent.parent):
        if (folder / name).is_file():
            return folder / name
    return tournament.parent / name


def parse(text: str, where: str = "The tournament") -> Tournament:
    """Return the tournament that a text describes, or raise an error about the text."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DuelbookError(f"{where} is not valid TOML: {error}.") from error
    try:
        return _tournament(data)
    except DuelbookError as error:
        raise DuelbookError(f"{where}: {error}") from error


def _tournament(data: dict[str, Any]) -> Tournament:
    table = _Table(data, "the tournament")
    games = tuple(table.take("games", list, []))
    if not games or not all(isinstance(game, str) for game in games):
        raise DuelbookError("`games` must be a list of games, such as games = ['nim.py'].")
    if len(set(games)) < len(games):
        raise DuelbookError("`games` names a game twice.")
    players = _players(table.take("players", list, []), data.pop("anchors", True))
    pairings = table.take("pairings", str, "round robin")
    if pairings not in ("round robin", "gauntlet"):
        raise DuelbookError(f"`pairings` is 'round robin' or 'gauntlet', not {pairings!r:.40}.")
    tournament = Tournament(
        games,
        players,
        "gauntlet" if pairings == "gauntlet" else "round robin",
        rounds=table.number("rounds", 1, minimum=1),
        openings=_openings(table.table("openings")),
        limits=_limits(table.table("limits")),
        prompt=dict(table.table("prompt").rest()),
        prices=table.take("prices", str, ""),
        concurrency=table.number("concurrency", 0, maximum=1000),
        sprt=_sprt(table.table("sprt")),
        seed=table.number("seed", 0),
    )
    table.must_be_empty()
    return tournament


def _players(players: list[Any], anchors: object) -> tuple[TournamentPlayer, ...]:
    entries = [_player(entry) for entry in players]
    if anchors is True:
        names = [name for name in ANCHORS if all(name != entry.name for entry in entries)]
    elif anchors is False:
        names = []
    elif isinstance(anchors, list) and all(isinstance(name, str) for name in anchors):
        names = anchors
    else:
        raise DuelbookError("`anchors` is true, false or a list of players.")
    entries += [TournamentPlayer(name, name, is_anchor=True) for name in names]
    labels = [entry.label for entry in entries]
    for label in labels:
        if labels.count(label) > 1:
            raise DuelbookError(
                f"Two players are called {label!r:.60}: give one of them another `label`."
            )
    if len(entries) < 2:
        raise DuelbookError("A tournament needs two players at least.")
    return tuple(entries)


def _player(entry: object) -> TournamentPlayer:
    if isinstance(entry, str):
        entry = {"player": entry}
    if not isinstance(entry, dict):
        raise DuelbookError("`players` is a list of names, or of tables with `player`.")
    table = _Table(dict(entry), "a player")
    name = table.take("player", str, "").strip()
    if not name:
        raise DuelbookError("A player's table needs `player`, such as player = 'mcts:1000'.")
    label = table.take("label", str, name).strip()
    if not label.isprintable() or not 0 < len(label) <= MAX_LABEL_LENGTH:
        raise DuelbookError(f"A `label` has 1 to {MAX_LABEL_LENGTH} printable characters.")
    return TournamentPlayer(name, label, dict(table.rest()))


def _openings(table: _Table) -> Openings:
    depth = table.take("depth", list, list(Openings.depth))
    if (
        len(depth) != 2
        or not all(type(moves) is int for moves in depth)
        or not 1 <= depth[0] <= depth[1] <= 1000
    ):
        raise DuelbookError("`depth` is a minimum and a maximum of moves, such as depth = [2, 8].")
    openings = Openings(
        table.take("start", bool, Openings.start),
        table.number("positions", Openings.positions, maximum=10_000),
        (depth[0], depth[1]),
    )
    table.must_be_empty()
    if not openings.start and not openings.positions:
        raise DuelbookError("There is no opening: set `start` or `positions`.")
    return openings


def _limits(table: _Table) -> GameLimits:
    limits = GameLimits(
        table.number("plies", GameLimits.plies, minimum=1, maximum=100_000),
        table.real("seconds", GameLimits.seconds),
    )
    table.must_be_empty()
    if limits.seconds <= 0:
        raise DuelbookError("`seconds` must be more than 0.")
    return limits


def _sprt(table: _Table) -> Sprt | None:
    if not table.present:
        return None
    sprt = Sprt(
        table.real("elo0", 0.0),
        table.real("elo1", 0.0),
        table.real("alpha", Sprt.alpha),
        table.real("beta", Sprt.beta),
    )
    table.must_be_empty()
    if not sprt.elo0 < sprt.elo1 or not (0 < sprt.alpha < 0.5 and 0 < sprt.beta < 0.5):
        raise DuelbookError("`sprt` needs elo0 < elo1, and alpha and beta between 0 and 0.5.")
    return sprt


class _Table:
    """A table of the file, which refuses keys that no method took."""

    def __init__(self, data: dict[str, Any], name: str, *, present: bool = True) -> None:
        self._data, self._name, self.present = data, name, present

    def take(self, key: str, kind: type[T], default: T) -> T:
        """Return a value, and refuse a value of another type."""
        value = self._data.pop(key, default)
        if type(value) is not kind:
            descriptions = {str: "a text", list: "a list", bool: "true or false", dict: "a table"}
            raise DuelbookError(f"`{key}` must be {descriptions.get(kind, 'another value')}.")
        return value

    def number(self, key: str, default: int, *, minimum: int = 0, maximum: int = 2**53) -> int:
        """Return a whole number."""
        value = self._data.pop(key, default)
        if type(value) is not int or not minimum <= value <= maximum:
            raise DuelbookError(f"`{key}` must be a whole number from {minimum} to {maximum}.")
        return value

    def real(self, key: str, default: float) -> float:
        """Return a number."""
        value = self._data.pop(key, default)
        if type(value) not in (int, float):
            raise DuelbookError(f"`{key}` must be a number.")
        return float(value)

    def table(self, key: str) -> _Table:
        """Return a table within this one."""
        present = key in self._data
        return _Table(self.take(key, dict, {}), f"`{key}`", present=present)

    def rest(self) -> dict[str, Any]:
        """Return the remaining keys, which the caller checks."""
        data, self._data = self._data, {}
        return data

    def must_be_empty(self) -> None:
        """Refuse remaining keys."""
        for key in self._data:
            raise DuelbookError(f"{self._name} has no `{key}`.")
