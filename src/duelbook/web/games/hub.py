"""The hub: it creates games, connects clients to them, and carries out commands."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable

from duelbook.compute.engines import Engines
from duelbook.compute.time_slices import TimeSlices
from duelbook.compute.worker_pool import UnavailableError
from duelbook.play.series import PERSON
from duelbook.position import Position
from duelbook.web import protocol as p
from duelbook.web.games.automation import Automation
from duelbook.web.games.broadcast import Broadcast, is_evaluated
from duelbook.web.games.commands import Refusal, decide, sit
from duelbook.web.games.commits import Author, Callback, CommitPipeline, Decide
from duelbook.web.games.creation import ID, create, hash_secret, new_secret
from duelbook.web.games.help_requests import Explanations
from duelbook.web.games.live_games import Capacity, Caps, LiveGames
from duelbook.web.games.loading import UNKNOWN_GAME, Loader
from duelbook.web.games.notices import ServerNotices
from duelbook.web.games.presence import Connection, LiveRoom, OverdueTimeouts, room_of, update_away
from duelbook.web.games.room_tasks import RoomTasks
from duelbook.web.games.state.room import Room, Seats
from duelbook.web.games.state.views import encode, snapshot
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.store.clock import Clock, monotonic
from duelbook.web.store.game_events import GameEvent
from duelbook.web.store.pubsub import PubSub
from duelbook.web.store.store import Store
from duelbook.web.store.uptime import Uptime

IDLE_SECONDS = 60.0
"""The time after which a game without connections is dropped from memory."""
LEVEL_CHECK_TIMEOUT_SECONDS = 4.0
"""The time that a new game timeouts to learn whether the computer can play it."""


class Hub:
    """The games of a server: creation, connections and commands."""

    def __init__(  # noqa: PLR0913 # it connects these parts
        self,
        store: Store,
        engines: Engines,
        pubsub: PubSub,
        metrics: Metrics,
        monotonic_clock: Callable[[], int] = monotonic,
        *,
        caps: Caps | None = None,
        timeouts: OverdueTimeouts | None = None,
    ) -> None:
        """Connect the parts; `monotonic_clock` returns the milliseconds since a fixed moment."""
        caps = caps or Caps()
        self.store, self.engines, self.pubsub, self.metrics = store, engines, pubsub, metrics
        self.now = now = Clock(monotonic_clock)
        self.uptime = Uptime(store, now, shared=pubsub.shared)
        self.time_slices = TimeSlices()
        self.live_games = live_games = LiveGames(caps.rooms)
        self._capacity = Capacity(store, caps)
        self.broadcast = broadcast = Broadcast(now, pubsub, timeouts or OverdueTimeouts())
        tasks, loader = RoomTasks(), Loader(store, self.time_slices)
        self.commits = CommitPipeline(
            *(store, self.uptime, live_games, loader, broadcast, tasks, metrics, now),
            shared=pubsub.shared,
        )
        self.automation = Automation(
            store, engines, live_games, self.commits, broadcast, tasks, metrics, now
        )
        self.notices = ServerNotices(store, live_games, self.commits, broadcast, now)
        self.explanations = Explanations(engines)
        self._reading = asyncio.Lock()

    # Creating a game --------------------------------------------------------------------------

    async def create(self, request: p.NewGame) -> p.SeatCredentials:
        """Create a game, and seat its creator."""
        await self._capacity.check()
        secret = new_secret()
        if request.save is None:
            terms, events = create(request, secret, self.now())
        else:
            async with self._reading:  # one at a time: threads take time from the event loop
                terms, events = await asyncio.to_thread(create, request, secret, self.now())
        if request.mode == "computer" and terms.players != (PERSON, PERSON):
            await self._check_level(terms.game, request.level)
        await self.store.create(terms, events)
        self.live_games.add_new(terms, events, self.now())
        self.metrics.games.labels(terms.game.slug, request.mode).inc()
        seats = [e.seat for e in events if e.kind == "sit" and e.seat is not None]
        return p.SeatCredentials(terms.id, seats, secret)

    async def _check_level(self, game: type[Position], level: str) -> None:
        """Refuse a level that cannot play a game, if that is known within a few seconds."""
        try:
            async with asyncio.timeout(LEVEL_CHECK_TIMEOUT_SECONDS):
                why = await self.engines.why_not(game, level)
        except (TimeoutError, UnavailableError):
            return  # if the level cannot play, the players see it in the game
        if why:
            raise Refusal("level", why)

    async def sit(self, id: str, request: p.JoinGame) -> p.SeatCredentials:  # noqa: A002 # the word on the wire
        """Give a player the open seat of a game."""
        secret = new_secret()

        def take_seat(room: Room, now: int) -> GameEvent:
            return sit(room, request.name, hash_secret(secret), help=request.help, now=now)

        live = await self.live_game(id)
        commit = await self.commits.commit(live, take_seat)
        assert commit.event.seat is not None  # noqa: S101 # `sit` sets it
        return p.SeatCredentials(id, [commit.event.seat], secret)

    # Connections ------------------------------------------------------------------------------

    async def live_game(self, id: str) -> LiveRoom:  # noqa: A002 # see above
        """Return a game from memory, or read it from the database."""
        if not ID.fullmatch(id):
            raise Refusal("unknown", UNKNOWN_GAME)
        while True:
            live = self.live_games.get(id) or self.live_games.add(id)
            live.last_used = time.monotonic()
            if not live.stale and not self.pubsub.shared:
                self._schedule_new(live)
                return live  # no other server can have changed it
            async with live.lock:
                if self.live_games.get(id) is not live:
                    continue  # it was dropped in the meantime
                try:
                    if live.stale or self.pubsub.shared:
                        await self.commits.catch_up(live)
                except Refusal:
                    self.live_games.remove(id)
                    raise
                self._schedule_new(live)
                return live

    def _schedule_new(self, live: LiveRoom) -> None:
        """Start the automation of a new game at its first use."""
        if live.is_new:
            live.is_new = False
            self.automation.schedule(live)

    def seats_of(self, live: LiveRoom, secret: str | None) -> Seats:
        """Return the seats that a secret holds; refuse a secret that holds none."""
        if secret is None:
            return frozenset()
        seats = _seats_held(room_of(live), secret)
        if not seats:
            raise Refusal("secret", "This secret does not open a seat of this game.")
        return seats

    def cached_seats(self, id: str, secret: str) -> Seats:  # noqa: A002 # see above
        """Return the seats that a secret holds, if the game is in memory."""
        live = self.live_games.get(id)
        return _seats_held(live.room, secret) if live and live.room else frozenset()

    async def connect(self, id: str, secret: str | None, connection: Connection) -> LiveRoom:  # noqa: A002 # see above
        """Connect a client to a game, and send it a snapshot."""
        live = await self.live_game(id)
        connection.seats = self.seats_of(live, secret)
        connection.send(encode(snapshot(room_of(live), connection.seats, self.now())))
        live.connections.add(connection)
        update_away(live, self.now())
        if is_evaluated(live):
            connection.send(encode(live.evaluations[connection.seats]))
        if not self.broadcast.presence_soon(live):  # the other connections get it later
            connection.send(encode(self.broadcast.presence_message(live)))
        self.automation.schedule(live)
        return live

    def disconnect(self, live: LiveRoom, connection: Connection) -> None:
        """Disconnect a client; cancel the evaluation if no client is left."""
        live.connections.discard(connection)
        update_away(live, self.now())
        live.last_used = time.monotonic()
        if not live.connections and (evaluating := live.tasks.pop("evaluation", None)):
            evaluating.cancel()
        self.broadcast.presence_soon(live)

    async def snapshot(self, id: str, secret: str | None) -> p.Snapshot:  # noqa: A002 # see above
        """Return a snapshot of a game."""
        live = await self.live_game(id)
        return snapshot(room_of(live), self.seats_of(live, secret), self.now())

    # Commands ---------------------------------------------------------------------------------

    async def execute(
        self, live: LiveRoom, seats: Seats, command: p.Command, connection: Connection | None = None
    ) -> tuple[Room, Room]:
        """Carry out a command, or refuse it; return the room before and after."""
        if isinstance(command, p.TakeOver):
            await self._check_level(room_of(live).terms.game, command.level)
        if isinstance(command, p.Rematch):
            await self._capacity.check()
        author = Author(connection, command.number)
        commit = await self.commits.commit_command(
            live, self._decision(live, seats, command), author
        )
        return commit.before, commit.after

    def submit(
        self, live: LiveRoom, connection: Connection, command: p.Command, callback: Callback
    ) -> None:
        """Start to carry out a command; call `callback` with its error or None."""
        if isinstance(command, p.Play):
            decision = self._decision(live, connection.seats, command)
            self.commits.submit(live, decision, Author(connection, command.number), callback)
        else:
            self.commits.run(self.execute(live, connection.seats, command, connection), callback)

    def _decision(self, live: LiveRoom, seats: Seats, command: p.Command) -> Decide:
        def decision(room: Room, now: int) -> GameEvent:
            is_late = isinstance(command, p.Abort | p.Claim)
            late = self.broadcast.overdue(live) if is_late else None
            return decide(room, seats, command, now, late)

        return decision

    # Housekeeping -----------------------------------------------------------------------------

    def drop_idle_games(self) -> None:
        """Drop idle games from memory, and publish the presence of games with connections."""
        late = time.monotonic() - IDLE_SECONDS
        for live in self.live_games.all():
            if live.connections and self.pubsub.shared:
                self.broadcast.notify_servers(live)
            self.notices.forget_silent_servers(live, late)
            if live.last_used < late:
                self.live_games.drop_if_idle(live)

    async def delete_inactive_games(self, before: int) -> int:
        """Delete some games without an event since a time; return their number."""
        deleted = await self.store.delete_inactive_games(before)
        for id in deleted:  # noqa: A001 # see above
            live = self.live_games.remove(id)
            if live:
                live.cancel_tasks()
                why = "This game was deleted because it was inactive."
                self.broadcast.message(live, p.Refused("unknown", why))
                for connection in live.connections:
                    connection.close(p.Close.UNKNOWN, why)
        return len(deleted)

    async def close(self) -> None:
        """Drop all games, and wait for their tasks and commands."""
        await asyncio.gather(self.live_games.close(), self.commits.close())


def _seats_held(room: Room, secret: str) -> Seats:
    proof = hash_secret(secret)
    return frozenset(s for s in (0, 1) if hmac.compare_digest(room.secret_hashes[s], proof))
