"""Computer players: each chooses a move from the view of its seat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Protocol

from duelbook.errors import DuelbookError
from duelbook.players.guided_opponent import Guide
from duelbook.players.levels import LEVELS, level
from duelbook.players.mcts import Mcts
from duelbook.players.minimax import Minimax
from duelbook.players.simple_players import AtRandom, Greedy
from duelbook.position import Position

ENTRY_POINTS = "duelbook.players"


class Player(Protocol):
    """An object that can choose a move."""

    def choose(self, view: Position, random: Random) -> str:
        """Return a legal move for the seat to move, given its view.

        The same view and the same state of `random` must give the same move. A player may also
        have `choose_from_record(record, random)`, which gets all that its seat has seen and heard,
        and `prepare(game)`, which refuses a game that it cannot play.
        """


Maker = Callable[[str], Player]
"""Returns a player, given the text after the colon in its name, as in `mcts:1000`."""


def make(name: str) -> Player:
    """Return the player with a name such as `perfect`, `minimax:4` or `mcts:1000`."""
    kind, _, argument = name.strip().partition(":")
    kind = kind.lower()
    maker = _built_in().get(kind) or _offered().get(kind)
    if maker is None:
        known = ", ".join(names())
        raise DuelbookError(f"There is no player {name!r:.40}. The players are: {known}.")
    return maker(argument)


def knows(name: str) -> bool:
    """Whether a name is that of one of these players, and not of a program or a class."""
    kind = name.strip().partition(":")[0].lower()
    return kind in _built_in() or kind in _offered()


def names() -> list[str]:
    """Return the names of all players."""
    return sorted({*_built_in(), *_offered()})


def number(argument: str, default: int, what: str) -> int:
    """Return the number in a player's name, or its default; refuse other text."""
    if not argument:
        return default
    if (
        not (argument.isascii() and argument.isdigit() and 0 < len(argument) < 8)
        or int(argument) == 0
    ):
        raise DuelbookError(f"The {what} must be a number from 1 to 9999999, not {argument!r:.20}.")
    return int(argument)


def _built_in() -> dict[str, Maker]:
    def plain(player: type[AtRandom | Greedy | Guide]) -> Maker:
        def maker(argument: str) -> Player:
            if argument:
                raise DuelbookError(f"This player takes no argument: {argument!r:.20}.")
            return player()

        return maker

    return {
        "random": plain(AtRandom),
        "greedy": plain(Greedy),
        "guide": plain(Guide),
        "minimax": lambda argument: Minimax(number(argument, 3, "depth")),
        "mcts": lambda argument: Mcts(number(argument, 200, "number of playouts")),
        **{name: partial(level, name) for name in LEVELS},
    }


def _offered() -> dict[str, Maker]:
    """Return the players that other packages register as entry points."""
    from importlib.metadata import entry_points

    return {point.name: point.load() for point in entry_points(group=ENTRY_POINTS)}
