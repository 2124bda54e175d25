"""The base class of all players, and an adapter for objects that only have `choose`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from duelbook.errors import DuelbookError
from duelbook.position import Position
from duelbook.secrecy import SeatRecord

if TYPE_CHECKING:
    from duelbook.play.first_game import FirstGameStep


class MoveChooser(Protocol):
    """An object that can choose a move. `adapt` makes a player of it."""

    def choose(self, view: Position, random: Random) -> str:
        """Return a legal move for the seat to move, given its view."""


class Player:
    """A player chooses moves. Only `choose` must be defined."""

    remembers: bool = False
    """Whether a move may depend on more than the view; `choose_from_record` makes it true."""
    calls: Sequence[Any] = ()
    """The calls of a language model so far."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "choose_from_record" in cls.__dict__ and "remembers" not in cls.__dict__:
            cls.remembers = True

    def choose(self, view: Position, random: Random) -> str:
        """Return a legal move for the seat to move, given its view.

        The same view and the same state of `random` must give the same move.
        """
        raise NotImplementedError

    def choose_from_record(self, record: SeatRecord, random: Random) -> str:
        """Return a legal move, given the record of the views and texts of the seat."""
        return self.choose(record.view, random)

    def best(self, view: Position) -> list[str] | None:  # noqa: ARG002 # a default
        """Return the moves that the player considers best; None if it does not compare moves."""
        return None

    def prepare(self, game: type[Position]) -> None:
        """Refuse a game that the player cannot play; do slow work before the first move."""

    def advice(self, record: SeatRecord) -> FirstGameStep | None:  # noqa: ARG002 # a default
        """Return the move that the player advises its opponent to make, if it gives advice."""
        return None

    def close(self) -> None:
        """End the processes that the player has started."""


def adapt(player: MoveChooser) -> Player:
    """Return an object with `choose` as a player; use the defaults for all that it lacks."""
    if isinstance(player, Player):
        return player
    if not callable(getattr(player, "choose", None)):
        raise DuelbookError(
            f"A player must be a name or have choose(view, random), not {player!r:.60}."
        )
    adapted = Player()
    adapted.remembers = hasattr(player, "choose_from_record")
    for name in ("choose", *DEFAULTS):
        if hasattr(player, name):
            setattr(adapted, name, getattr(player, name))
    return adapted


DEFAULTS = ("choose_from_record", "best", "prepare", "advice", "close", "remembers", "calls")
"""The attributes that a player may define besides `choose`."""
