"""Broadcasts of updates, evaluations and presence to the connections of a room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from duelbook.web import protocol as p
from duelbook.web.games.presence import (
    Connection,
    LiveRoom,
    OverdueState,
    OverdueTimeouts,
    overdue,
    presence,
    room_of,
    update_away,
)
from duelbook.web.games.state.room import Room
from duelbook.web.games.state.views import WATCHING, UpdateFrames, encode
from duelbook.web.store.pubsub import Notice, PubSub

PRESENCE_INTERVAL_SECONDS = 0.5


class Broadcast:
    """Sends the changes of a room to its connections, and its presence to other servers."""

    def __init__(self, now: Callable[[], int], pubsub: PubSub, timeouts: OverdueTimeouts) -> None:
        self._now, self._pubsub, self._timeouts = now, pubsub, timeouts

    def update(
        self,
        live: LiveRoom,
        before: Room,
        author: Connection | None = None,
        number: int | None = None,
    ) -> None:
        """Send the change since `before`; the author of a command gets its number back."""
        frames = UpdateFrames(before, room_of(live), self._now())
        for connection in live.connections:
            reply = number if connection is author else None
            connection.send(frames.frame(connection.seats, reply))

    def evaluations(self, live: LiveRoom) -> None:
        """Send the evaluation."""
        frames = {seats: encode(message) for seats, message in live.evaluations.items()}
        for connection in live.connections:
            connection.send(frames[connection.seats])

    def message(self, live: LiveRoom, message: p.ToClient) -> None:
        """Send the same message to all connections."""
        frame = encode(message)
        for connection in live.connections:
            connection.send(frame)

    # Presence ---------------------------------------------------------------------------------

    def presence(self, live: LiveRoom) -> None:
        """Send the presence now."""
        self.message(live, self.presence_message(live))

    def presence_message(self, live: LiveRoom) -> p.Presence:
        """Return who is connected, and what the opponent of an absent player may do."""
        now, message = self._now(), presence(live)
        update_away(live, now)
        live.overdue = self.overdue(live)
        if live.overdue:
            message.overdue = p.Overdue(live.overdue.action, max(0, live.overdue.at - now))
        return message

    def overdue(self, live: LiveRoom) -> OverdueState | None:
        """Return when the player to move is overdue.

        The time before this server connected to the other servers does not count as absence: the
        player may have been connected to one of them.
        """
        room = room_of(live)
        if live.away == (None, None) and not room.terms.clock:
            return None  # the usual case
        connected_at = self._now() - 1000 * self._pubsub.connected_for()
        first, second = (None if at is None else round(max(at, connected_at)) for at in live.away)
        return overdue(room, self._timeouts, (first, second))

    def presence_soon(self, live: LiveRoom, *, others: bool = True) -> bool:
        """Broadcast presence at most twice a second; always send the last change.

        `others` also publishes it to the other servers. Return whether it was sent now.
        """
        live.is_presence_unpublished |= others and self._pubsub.shared
        if live.presence_timer:
            return False
        loop = asyncio.get_running_loop()
        wait = live.presence_sent + PRESENCE_INTERVAL_SECONDS - loop.time()
        if wait > 0:
            live.presence_timer = loop.call_later(wait, self._presence_now, live)
            return False
        self._presence_now(live)
        return True

    def _presence_now(self, live: LiveRoom) -> None:
        live.presence_timer, live.presence_sent = None, asyncio.get_running_loop().time()
        self.presence(live)
        if live.is_presence_unpublished:
            live.is_presence_unpublished = False
            self.notify_servers(live)

    def notify_servers(self, live: LiveRoom) -> None:
        """Publish to the other servers that a game changed, and who is connected here."""
        seats = [
            sum(seat in connection.seats for connection in live.connections) for seat in (0, 1)
        ]
        watching = sum(not connection.seats for connection in live.connections)
        self._pubsub.publish(Notice(live.id, self._pubsub.server, seats, watching))


def is_evaluated(live: LiveRoom) -> bool:
    """Return whether the evaluation is up to date and may be shown."""
    room, evaluation = room_of(live), live.evaluations.get(WATCHING)
    return evaluation is not None and evaluation.turn == room.turn and room.allows_help
