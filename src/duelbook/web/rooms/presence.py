"""A room in memory, and the connections to it."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field

from duelbook.web import protocol as p
from duelbook.web.rooms.commands import Seats
from duelbook.web.rooms.pubsub import Notice
from duelbook.web.rooms.room import Room

MOST_UNSENT = 500
"""Frames that may wait for a slow connection before it is closed."""


class Connection:
    """A connection: the seats that it holds, and the frames that wait to be sent."""

    __slots__ = ("_asleep", "_loop", "acting", "closed", "frames", "game_deleted", "hint", "seats")

    def __init__(self, seats: Seats = frozenset()) -> None:
        self.seats = seats
        self.frames: deque[str] = deque()
        self.closed = self.game_deleted = False
        self.acting = (
            asyncio.Lock()
        )  # held while a command is carried out, which is not interrupted
        self._loop = asyncio.get_running_loop()  # asking for it again costs a system call
        self._asleep: asyncio.Future[None] | None = None
        self.hint: asyncio.Task[None] | None = None

    def send(self, frame: str) -> None:
        """Queue a frame, or have the connection closed if it does not keep up."""
        if len(self.frames) >= MOST_UNSENT:
            self.closed = True
        else:
            self.frames.append(frame)
        if self._asleep and not self._asleep.done():
            self._asleep.set_result(None)

    async def news(self) -> None:
        """Wait until there is something to send, or the connection is to be closed."""
        if not self.frames and not self.closed:  # a bare future: this happens twice a move
            self._asleep = self._loop.create_future()
            await self._asleep


@dataclass(eq=False)
class LiveRoom:
    """A room in memory, with its connections and running tasks."""

    id: str
    room: Room | None = None
    stale: bool = True
    """Whether the database may have newer events."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    connections: set[Connection] = field(default_factory=set)
    elsewhere: dict[str, tuple[Notice, float]] = field(default_factory=dict)
    """The last notice of each other server, and when it came."""
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None
    evaluation: p.Evaluation | None = None
    analysis: p.Analysis | None = None
    used: float = 0.0
    preparing: bool = False
    """Whether the computer takes its time to prepare for the game."""
    crashes: int = 0
    """How often in a row the computer's process has ended over its move."""

    def cancel_tasks(self) -> None:
        """Cancel the timer and the tasks."""
        if self.timer:
            self.timer.cancel()
        for task in self.tasks.values():
            task.cancel()


def room_of(live: LiveRoom) -> Room:
    """Return the room, which must have been read."""
    assert live.room is not None  # noqa: S101 # `Hub.live` has seen to it
    return live.room


def presence(live: LiveRoom) -> p.Presence:
    """Return who is connected, on this server and on others."""
    notices = [notice for notice, _ in live.elsewhere.values()]
    seats = [
        any(seat in connection.seats for connection in live.connections)
        or any(n.seats[seat] for n in notices)
        for seat in (0, 1)
    ]
    watching = sum(not connection.seats for connection in live.connections) + sum(
        n.watching for n in notices
    )
    return p.Presence(seats, watching, live.preparing)
