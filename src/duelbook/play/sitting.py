"""Hints, takebacks and seeds: what the terminal and the server allow, decided once."""

from __future__ import annotations

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.play.match import Match
from duelbook.position import Position


def check_hint(position: Position, *, shared: bool) -> None:
    """Refuse a hint that would give a secret away to the other person at a shared screen."""
    if shared and secrecy.is_hidden_choice(position, ()):
        raise DuelbookError("A hint about a secret choice would be seen by both of you.")


def take_back(match: Match, seat: int | None) -> Match:
    """Return the match before a seat's last choice; None stands for both at a shared screen."""
    return match.undo() if seat is None else match.take_back(seat)


def move_seed(seed: int, *turn: int) -> str:
    """Return what seeds the computer's choice: the same game and turn give the same move.

    The turn must be another one after a takeback, or the computer would show its secrets.
    """
    return " ".join(map(str, (seed, *turn)))
