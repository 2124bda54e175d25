"""What a player may do whose opponent does not begin, or has left: abort the game, or claim it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from duelbook.play.series import PERSON
from duelbook.position import CHANCE
from duelbook.web.games.room import Room

UNTIMED = 10
"""How many times as long a player may be away if there is no clock."""


class Waits(NamedTuple):
    """How many milliseconds a player has to wait for the other one."""

    first_move: int = 60_000
    """For the first move, if there is a clock: it runs only from a player's second move on."""
    away: int = 60_000
    """For a player who is to move, and not connected."""


class OverdueState(NamedTuple):
    """When the player to move is overdue, and what the other one may do then."""

    at: int
    may: Literal["abort", "claim"]


def overdue(room: Room, waits: Waits, away: tuple[int | None, int | None]) -> OverdueState | None:
    """Return when the player to move is overdue; `away` says since when each seat has been away."""
    mover = room.position.to_move
    if room.over or room.open_seats or mover == CHANCE:
        return None
    if room.players[1 - mover] != PERSON or room.holders[0] == room.holders[1]:
        return None  # nobody waits who could do anything about it
    has_moved, since, limits = room.has_moved(mover), away[mover], []
    if room.terms.clock and not has_moved:
        limits.append(room.asked + waits.first_move)
    if since is not None:
        limits.append(max(room.asked, since) + waits.away * (1 if room.terms.clock else UNTIMED))
    return OverdueState(min(limits), "claim" if has_moved else "abort") if limits else None
