"""Computer players: each chooses a move from the view of its seat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from duelbook.errors import DuelbookError
from duelbook.play.names import LEVELS
from duelbook.players.guided_opponent import Guide
from duelbook.players.levels import level
from duelbook.players.mcts import Mcts
from duelbook.players.minimax import Minimax
from duelbook.players.player import MoveChooser, Player, adapt
from duelbook.players.simple_players import Greedy, RandomPlayer

__all__ = ["MoveChooser", "Player", "adapt", "is_built_in", "knows", "make", "names"]
ENTRY_POINTS = "duelbook.players"


PlayerFactory = Callable[[str], MoveChooser]
"""A function from the text after the colon in a name, such as `mcts:1000`, to a player."""


def make(name: str) -> Player:
    """Return the player with a name such as `perfect`, `minimax:4` or `mcts:1000`."""
    kind, _, argument = name.strip().partition(":")
    kind = kind.lower()
    factory = _built_in().get(kind) or _registered().get(kind)
    if factory is None:
        known = ", ".join(names())
        raise DuelbookError(f"There is no player {name!r:.40}. The players are: {known}.")
    return adapt(factory(argument))


def knows(name: str) -> bool:
    """Return whether a name is that of a built-in or registered player."""
    return is_built_in(name) or _kind(name) in _registered()


def is_built_in(name: str) -> bool:
    """Return whether a name is that of a built-in player."""
    return _kind(name) in _built_in()


def _kind(name: str) -> str:
    return name.strip().partition(":")[0].lower()


def names() -> list[str]:
    """Return the names of all players."""
    return sorted({*_built_in(), *_registered()})


def number(argument: str, default: int, label: str) -> int:
    """Return the number in a player's name, or its default; refuse other text."""
    if not argument:
        return default
    if (
        not (argument.isascii() and argument.isdigit() and 0 < len(argument) < 8)
        or int(argument) == 0
    ):
        raise DuelbookError(
            f"The {label} must be a number from 1 to 9999999, not {argument!r:.20}."
        )
    return int(argument)


def _built_in() -> dict[str, PlayerFactory]:
    def plain(player: type[RandomPlayer | Greedy | Guide]) -> PlayerFactory:
        def create(argument: str) -> Player:
            if argument:
                raise DuelbookError(f"This player takes no argument: {argument!r:.20}.")
            return player()

        return create

    return {
        "random": plain(RandomPlayer),
        "greedy": plain(Greedy),
        "guide": plain(Guide),
        "minimax": lambda argument: Minimax(number(argument, 3, "depth")),
        "mcts": lambda argument: Mcts(number(argument, 200, "number of playouts")),
        **{name: partial(level, name) for name in LEVELS},
    }


def _registered() -> dict[str, PlayerFactory]:
    """Return the players that other packages register as entry points."""
    from importlib.metadata import entry_points  # slow to import

    return {point.name: point.load() for point in entry_points(group=ENTRY_POINTS)}
