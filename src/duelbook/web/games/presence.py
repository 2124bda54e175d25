"""A room in memory, its connections, and players who are absent or overdue."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from duelbook.play.series import PERSON
from duelbook.position import CHANCE
from duelbook.web import protocol as p
from duelbook.web.games.state.room import Room, Seats
from duelbook.web.store.pubsub import Notice

UNTIMED_AWAY_FACTOR = 10
"""The factor by which a player may be away longer in a game without a clock."""


class OverdueTimeouts(NamedTuple):
    """The milliseconds after which a player is overdue."""

    first_move: int = 60_000
    """For a first move in a game with clocks, which start at each player's second move."""
    away: int = 60_000
    """For a player who is to move but not connected."""


class OverdueState(NamedTuple):
    """The time from which the player to move is overdue, and what the opponent may do then."""

    at: int
    action: Literal["abort", "claim"]


class Connection:
    """A connection: the seats that it holds, and the frames that the server sends to it."""

    __slots__ = ("frames", "seats")

    def __init__(self, seats: Seats = frozenset()) -> None:
        self.seats = seats
        self.frames: deque[bytes] = deque()

    def send(self, frame: bytes) -> None:
        """Store a frame; a connection to a client sends it."""
        self.frames.append(frame)

    def close(self, code: p.Close, why: str) -> None:
        """Do nothing; a connection to a client closes it."""


class RoomLock(asyncio.Lock):
    """A lock that code without a task can take if it is free."""

    def try_acquire(self) -> bool:
        """Take the lock if it is free and nobody waits for it; return whether it worked."""
        if self.locked():
            return False
        acquiring = self.acquire()
        try:
            acquiring.send(None)
        except StopIteration:
            return True
        acquiring.close()
        return False


@dataclass(eq=False)
class LiveRoom:
    """A room in memory, with its connections and running tasks."""

    id: str
    room: Room | None = None
    stale: bool = True
    """True if the database may have newer events."""
    is_new: bool = False
    """True until someone uses the game after its creation."""
    lock: RoomLock = field(default_factory=RoomLock)
    connections: set[Connection] = field(default_factory=set)
    remote_notices: dict[str, tuple[Notice, float]] = field(default_factory=dict)
    """The last notice of each other server, and the time of its arrival."""
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None
    presence_timer: asyncio.TimerHandle | None = None
    """The timer of the next presence message, while it has to wait for the rate limit."""
    presence_sent: float = float("-inf")
    """The time of the last presence message, by the clock of the event loop."""
    is_presence_unpublished: bool = False
    """True if the other servers still need the last change of the presence."""
    evaluations: dict[Seats, p.Evaluation] = field(default_factory=dict)
    """The last evaluation, for each kind of receiver."""
    analysis: bytes | None = None
    """The analysis of the finished game, encoded."""
    away: tuple[int | None, int | None] = (None, None)
    """The time in milliseconds since which each seat is away; None for a connected seat."""
    overdue: OverdueState | None = None
    """The last state of the player to move that the players received."""
    last_used: float = 0.0
    preparing: bool = False
    """True if the computer needs more than a second to prepare for the game."""
    crashes: int = 0
    """The number of crashes in a row of the computer's process during its move."""

    def cancel_tasks(self) -> None:
        """Cancel the timer and the tasks."""
        for timer in (self.timer, self.presence_timer):
            if timer:
                timer.cancel()
        for task in self.tasks.values():
            task.cancel()


def room_of(live: LiveRoom) -> Room:
    """Return the room, which must have been read."""
    assert live.room is not None  # noqa: S101 # `Hub.live` reads it
    return live.room


def is_connected(live: LiveRoom, seat: int) -> bool:
    """Return whether a seat is connected, on this server or on another."""
    return any(seat in connection.seats for connection in live.connections) or any(
        notice.seats[seat] for notice, _ in live.remote_notices.values()
    )


def update_away(live: LiveRoom, now: int) -> None:
    """Update the times since which the seats are away."""

    def since(seat: int) -> int | None:
        if is_connected(live, seat) or room_of(live).players[seat] != PERSON:
            return None
        known = live.away[seat]
        return now if known is None else known

    live.away = since(0), since(1)


def presence(live: LiveRoom) -> p.Presence:
    """Return the presence: the connections on this server and on others."""
    notices = [notice for notice, _ in live.remote_notices.values()]
    seats = [is_connected(live, seat) for seat in (0, 1)]
    watching = sum(not connection.seats for connection in live.connections) + sum(
        n.watching for n in notices
    )
    return p.Presence(seats, watching, live.preparing)


def overdue(
    room: Room, timeouts: OverdueTimeouts, away: tuple[int | None, int | None]
) -> OverdueState | None:
    """Return when the player to move is overdue.

    `away` holds the time since which each seat is away, or None.
    """
    mover = room.position.to_move
    if room.over or room.open_seats or mover == CHANCE:
        return None
    if room.players[1 - mover] != PERSON or room.secret_hashes[0] == room.secret_hashes[1]:
        return None  # the player to move has no opponent who could abort or claim the game
    has_moved, since, limits = room.has_moved(mover), away[mover], []
    if room.terms.clock and not has_moved:
        limits.append(room.turn_since + timeouts.first_move)
    if since is not None:
        limits.append(
            max(room.turn_since, since)
            + timeouts.away * (1 if room.terms.clock else UNTIMED_AWAY_FACTOR)
        )
    return OverdueState(min(limits), "claim" if has_moved else "abort") if limits else None
