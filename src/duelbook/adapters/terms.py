"""What adapters are asked for, which game and how it is to be played, and what they refuse."""

from __future__ import annotations

from operator import index
from typing import Final, SupportsIndex

from duelbook.errors import DuelbookError, InvalidMove
from duelbook.position import Position, check_first

RENDER_MODES: Final = ("human", "ansi")


def start_of(game: type[Position], first: int) -> Position:
    """Return the start of a game begun by a seat that may begin it."""
    check_first(game, first)
    return game.start(first)


def check_seat(seat: int) -> None:
    """Refuse what is not a seat."""
    if seat not in (0, 1):
        raise DuelbookError(f"A seat is 0 or 1, not {seat!r}.")


def check_limit(limit: object) -> None:
    """Refuse a number of plies that no game can be cut off after."""
    if not isinstance(limit, int) or limit < 1:
        raise DuelbookError(f"The limit is a number of plies from 1 up, not {limit!r}.")


def check_render_mode(render_mode: str | None) -> None:
    """Refuse a way to show a game that there is not."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        modes = " or ".join(RENDER_MODES)
        raise DuelbookError(f"The render mode is {modes}, or None, not {render_mode!r}.")


def move_of(game: type[Position], action: SupportsIndex | None) -> str:
    """Return the move with an action number, which may be of any whole-number type."""
    try:
        number = -1 if action is None else index(action)
    except TypeError:
        number = -1
    if 0 <= number < len(game.ACTIONS):
        return game.ACTIONS[number]
    last = len(game.ACTIONS) - 1
    raise InvalidMove(
        f"An action of {game.title} is a number from 0 to {last}, not {action!r:.40}."
    )
