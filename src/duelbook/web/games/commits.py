"""The commit pipeline: decide on an event, store it, and only then send it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, NamedTuple

from duelbook.play.match import DRAWN_BY
from duelbook.web.games.broadcast import Broadcast, is_evaluated
from duelbook.web.games.commands import Refusal
from duelbook.web.games.live_games import LiveGames
from duelbook.web.games.loading import EVENTS_PER_PAGE, Loader
from duelbook.web.games.presence import Connection, LiveRoom, room_of, update_away
from duelbook.web.games.room_tasks import RoomTasks
from duelbook.web.games.state.room import Room
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.store.game_events import GameEvent
from duelbook.web.store.store import Store, StoreError
from duelbook.web.store.uptime import Uptime

Decide = Callable[[Room, int], GameEvent]
"""A function that returns the next event of a room at a given time, or refuses it."""
Callback = Callable[[Exception | None], None]
"""A callback after a command; its argument is the error or None."""


class Commit(NamedTuple):
    """A stored event, and the room before and after it."""

    before: Room
    after: Room
    event: GameEvent


class _Attempt(NamedTuple):
    """An event on its way to the database, and the room before it."""

    before: Room
    event: GameEvent
    stored: asyncio.Future[bool]
    """False if another server stored an event first."""


class Author(NamedTuple):
    """The connection that sent a command, and the command's number."""

    connection: Connection | None = None
    number: int | None = None


NOBODY = Author()


class CommitPipeline:
    """Changes rooms: every event of every game goes through `commit` or `submit`."""

    def __init__(  # noqa: PLR0913, PLR0917 # it connects these parts
        self,
        store: Store,
        uptime: Uptime,
        live_games: LiveGames,
        loader: Loader,
        broadcast: Broadcast,
        tasks: RoomTasks,
        metrics: Metrics,
        now: Callable[[], int],
        *,
        shared: bool,
    ) -> None:
        """Connect the parts; `shared` is true if other servers use the same database."""
        self._store, self._uptime = store, uptime
        self._live_games, self._loader = live_games, loader
        self._broadcast, self._tasks, self._metrics = broadcast, tasks, metrics
        self._now, self._shared = now, shared
        self._running: set[asyncio.Task[None]] = set()

    async def commit(self, live: LiveRoom, decide: Decide, author: Author = NOBODY) -> Commit:
        """Commit an event; decide again if another server stored an event first."""
        arrived = self._now()  # a wait in this pipeline costs no player time
        if self._uptime.is_silent(arrived):
            await self.note_uptime()
        async with live.lock:
            try:
                if live.stale:
                    await self.catch_up(live)
                await self._resume(live)
                while True:
                    attempt = self._store_event(live, decide, arrived)
                    if await attempt.stored:
                        break
                    await self.catch_up(live)
            except StoreError:
                self._read_again(live)
                raise
            self._finish(live, attempt.event, author)
            return Commit(attempt.before, room_of(live), attempt.event)

    async def commit_command(self, live: LiveRoom, decide: Decide, author: Author) -> Commit:
        """Commit the event of a command; refuse the command if the game ended before it."""
        commit = await self.commit(live, decide, author)
        if why := _why_ended(commit.event):
            raise Refusal("over", why)
        return commit

    def submit(self, live: LiveRoom, decide: Decide, author: Author, callback: Callback) -> None:
        """Commit a command like `commit_command`, then call `callback`.

        A command that waits only for the disk runs without a task, because a task would take
        longer than the command itself.
        """
        now = self._now()
        if not self._waits_for_disk_only(live, now) or not live.lock.try_acquire():
            self.run(self.commit_command(live, decide, author), callback)
            return
        try:
            attempt = self._store_event(live, decide, now)
        except Exception as error:  # as `commit` would raise it
            live.lock.release()
            callback(error)
            return
        attempt.stored.add_done_callback(
            partial(self._submitted, live, decide, author, callback, attempt.event)
        )

    def _submitted(  # noqa: PLR0913, PLR0917 # the parts of a command
        self,
        live: LiveRoom,
        decide: Decide,
        author: Author,
        callback: Callback,
        event: GameEvent,
        stored: asyncio.Future[bool],
    ) -> None:
        """Finish a submitted event after the store has answered."""
        error: Exception | None = None
        try:
            if not stored.result():  # another server was faster
                self.run(self.commit_command(live, decide, author), callback)
                return
            self._finish(live, event, author)
            if why := _why_ended(event):
                error = Refusal("over", why)
        except StoreError as failure:
            self._read_again(live)
            error = failure
        except Exception as failure:  # as `commit` would raise it
            error = failure
        finally:
            live.lock.release()
        callback(error)

    def run(self, work: Coroutine[Any, Any, object], callback: Callback) -> None:
        """Run a command in a task, then call `callback`."""

        async def attempt() -> None:
            try:
                await work
            except Exception as error:  # the client waits for an answer
                callback(error)
            else:
                callback(None)

        task = asyncio.create_task(attempt())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def close(self) -> None:
        """Wait for the commands that run in tasks."""
        await asyncio.gather(*self._running, return_exceptions=True)

    # Steps ------------------------------------------------------------------------------------

    def _waits_for_disk_only(self, live: LiveRoom, now: int) -> bool:
        """Return whether the next event waits for nothing but the lock and the disk."""
        room = room_of(live)
        is_late = room.terms.clock and self._time_lost(room)
        return not (live.stale or self._uptime.is_silent(now) or is_late)

    def _store_event(self, live: LiveRoom, decide: Decide, now: int) -> _Attempt:
        """Decide on an event and start to store it; the caller holds the lock."""
        before = room_of(live)
        event = decide(before, max(now, before.at))
        return _Attempt(before, event, self._store.append(live.id, before.seq, event))

    def _finish(self, live: LiveRoom, event: GameEvent, author: Author) -> None:
        """Apply and send a stored event."""
        # An event that ends the game does not answer a command that arrives too late.
        self._apply(live, event, NOBODY if _why_ended(event) else author)
        self._metrics.count_event(event.kind)
        if self._shared:
            self._broadcast.notify_servers(live)

    def _apply(self, live: LiveRoom, event: GameEvent, author: Author = NOBODY) -> None:
        before = room_of(live)
        live.room = before.after(event)
        self._broadcast.update(live, before, *author)
        if event.kind == "help" and is_evaluated(live):
            self._broadcast.evaluations(live)
        if self._broadcast.overdue(live) != live.overdue:
            self._broadcast.presence(live)
        self._tasks.schedule(live)

    # Events that this process has not seen ----------------------------------------------------

    async def catch_up(self, live: LiveRoom) -> None:
        """Read the events that this process does not know yet; the caller holds the lock."""
        if live.room is None:
            live.room = await self._loader.load(live.id)
            live.stale = False
            update_away(live, self._now())
            try:
                await self._resume(live)
            except StoreError:
                live.room, live.stale = None, True
                raise
            self._tasks.schedule(live)
            return
        more = True
        while more:
            events = await self._store.events(live.id, live.room.seq, EVENTS_PER_PAGE)
            more = len(events) == EVENTS_PER_PAGE
            live.stale = more
            for event in events:
                self._apply(live, event)

    async def read_new_events(self, live: LiveRoom) -> None:
        """Read the events that other servers stored."""
        async with live.lock:
            if live.room:
                live.stale = True  # until `catch_up` has read the events
                await self.catch_up(live)

    def read_new_events_later(self, live: LiveRoom) -> None:
        """Read the events of other servers in a task."""
        self._tasks.start(live, "news", self.read_new_events)

    def _read_again(self, live: LiveRoom) -> None:
        """Read the events again: the database may have stored an event despite an error."""
        live.stale = True
        self.read_new_events_later(live)

    # Time without a server --------------------------------------------------------------------

    async def note_uptime(self) -> None:
        """Write a heartbeat; after a time without a server, correct the clocks."""
        if await self._uptime.note():
            for live in self._live_games.all():
                if live.room and self._time_lost(live.room):
                    self._tasks.start(live, "resume", self._resume_locked)

    async def _resume_locked(self, live: LiveRoom) -> None:
        async with live.lock:
            await self._resume(live)

    async def _resume(self, live: LiveRoom) -> None:
        """Give players back the time during which no server ran; the caller holds the lock."""
        while lost := self._time_lost(room := room_of(live)):
            event = GameEvent("resume", text=str(lost), at=max(self._now(), self._uptime.began))
            if await self._store.append(live.id, room.seq, event):
                self._apply(live, event)
            else:
                await self.catch_up(live)  # another server was faster

    def _time_lost(self, room: Room) -> int:
        """Return the milliseconds without a server since a room's last event, if its clocks run."""
        lost = self._uptime.time_lost(room.at)
        is_timed = lost and room.terms.clock and not room.over and not room.open_seats
        return lost if is_timed else 0


def _why_ended(event: GameEvent) -> str:
    """Return why an event ends a game without a command; an empty string for other events."""
    if event.kind == "draw" and event.text == "cut":
        return DRAWN_BY["cut"]
    return "The time had run out." if event.kind == "time" else ""
