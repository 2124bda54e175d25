"""Check the arguments that the adapters share."""

from __future__ import annotations

from operator import index
from typing import Final, SupportsIndex

from duelbook.errors import DuelbookError, InvalidMove
from duelbook.position import Position, check_first

RENDER_MODES: Final = ("human", "ansi")


def start_of(game: type[Position], first: int) -> Position:
    """Return the start of a game, or refuse the first seat."""
    check_first(game, first)
    return game.start(first)


def check_seat(seat: int) -> None:
    """Refuse anything but a seat."""
    if seat not in (0, 1):
        raise DuelbookError(f"A seat must be 0 or 1, not {seat!r}.")


def check_limit(limit: object) -> None:
    """Refuse anything but a positive number of plies."""
    if not isinstance(limit, int) or limit < 1:
        raise DuelbookError(f"The limit must be 1 ply or more, not {limit!r}.")


def check_render_mode(render_mode: str | None) -> None:
    """Refuse an unknown render mode."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        modes = " or ".join(RENDER_MODES)
        raise DuelbookError(f"The render mode must be {modes}, or None, not {render_mode!r}.")


def move_of(game: type[Position], action: SupportsIndex | None) -> str:
    """Return the move with an action number of any integer type."""
    try:
        number = -1 if action is None else index(action)
    except TypeError:
        number = -1
    if 0 <= number < len(game.ACTIONS):
        return game.ACTIONS[number]
    last = len(game.ACTIONS) - 1
    raise InvalidMove(
        f"An action of {game.title} must be a number from 0 to {last}, not {action!r:.40}."
    )
