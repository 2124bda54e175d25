"""A room in memory, its connections, and players who are absent or overdue."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from duelbook.play.series import PERSON
from duelbook.position import CHANCE
from duelbook.web import protocol as p
from duelbook.web.games.room import Room, Seats
from duelbook.web.store.pubsub import Notice

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


class Connection:
    """A connection: the seats that it holds, and the frames that it is sent."""

    __slots__ = ("frames", "seats")

    def __init__(self, seats: Seats = frozenset()) -> None:
        self.seats = seats
        self.frames: deque[bytes] = deque()

    def send(self, frame: bytes) -> None:
        """Store a frame; a connection to a client sends it."""
        self.frames.append(frame)

    def end(self, code: p.Close, why: str) -> None:
        """Send the client away, if there is one."""


class RoomLock(asyncio.Lock):
    """A lock that can be taken without waiting, which needs no task."""

    def take(self) -> bool:
        """Take the lock if it is free and nobody waits for it."""
        if self.locked():
            return False
        taking = self.acquire()
        try:
            taking.send(None)
        except StopIteration:
            return True
        taking.close()
        return False


@dataclass(eq=False)
class LiveRoom:
    """A room in memory, with its connections and running tasks."""

    id: str
    room: Room | None = None
    stale: bool = True
    """Whether the database may have newer events."""
    is_new: bool = False
    """Whether nobody has used it since it was created."""
    lock: RoomLock = field(default_factory=RoomLock)
    connections: set[Connection] = field(default_factory=set)
    elsewhere: dict[str, tuple[Notice, float]] = field(default_factory=dict)
    """The last notice of each other server, and when it came."""
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None
    presence_timer: asyncio.TimerHandle | None = None
    """Sends the presence, if it was sent a moment ago."""
    presence_sent: float = float("-inf")
    """When the presence was sent last, by the clock of the loop."""
    others_unaware: bool = False
    """Whether other servers still have to get it."""
    evaluations: dict[Seats, p.Evaluation] = field(default_factory=dict)
    """The last evaluation, for each kind of receiver."""
    analysis: bytes | None = None
    """The analysis of the finished game, encoded."""
    away: tuple[int | None, int | None] = (None, None)
    """Since when each seat has been away, in milliseconds, if it is."""
    overdue: OverdueState | None = None
    """What the players were sent last about the player to move."""
    used: float = 0.0
    preparing: bool = False
    """Whether the computer takes its time to prepare for the game."""
    crashes: int = 0
    """How often in a row the computer's process has ended over its move."""

    def cancel_tasks(self) -> None:
        """Cancel the timer and the tasks."""
        for timer in (self.timer, self.presence_timer):
            if timer:
                timer.cancel()
        for task in self.tasks.values():
            task.cancel()


def room_of(live: LiveRoom) -> Room:
    """Return the room, which must have been read."""
    assert live.room is not None  # noqa: S101 # `Hub.live` has seen to it
    return live.room


def is_here(live: LiveRoom, seat: int) -> bool:
    """Whether a seat is connected, on this server or on another."""
    return any(seat in connection.seats for connection in live.connections) or any(
        notice.seats[seat] for notice, _ in live.elsewhere.values()
    )


def note_away(live: LiveRoom, now: int) -> None:
    """Note which seats are away, and since when."""

    def since(seat: int) -> int | None:
        if is_here(live, seat) or room_of(live).players[seat] != PERSON:
            return None
        known = live.away[seat]
        return now if known is None else known

    live.away = since(0), since(1)


def presence(live: LiveRoom) -> p.Presence:
    """Return who is connected, on this server and on others."""
    notices = [notice for notice, _ in live.elsewhere.values()]
    seats = [is_here(live, seat) for seat in (0, 1)]
    watching = sum(not connection.seats for connection in live.connections) + sum(
        n.watching for n in notices
    )
    return p.Presence(seats, watching, live.preparing)


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
