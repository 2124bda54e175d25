"""The terms of a game, and its events as the database stores them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from duelbook.play.series import PERSON
from duelbook.position import Position


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The properties of a game that its creation fixes; times are in milliseconds."""

    id: str
    game: type[Position]
    first: int = 0
    players: tuple[str, str] = (PERSON, PERSON)
    seed: int = 0
    clock: tuple[int, int] | None = None
    """The initial time of each seat, and the increment."""
    created: int = 0
    draws: str = ""
    """The seed of the chance outcomes, for a game with chance: a secret until the game is over."""
    saved_moves: int = 0
    """The number of moves from a saved game, if this game continues one."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """Something that happened in a game, and when."""

    kind: str
    seat: int | None = None
    text: str = ""
    at: int = 0
    result: tuple[Any, ...] | None = field(default=None, compare=False, repr=False)
    """The result of a move, if it is already known; the database does not store it."""
