"""The hub: the games in the memory of this process, and everyone connected to them."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Iterable

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.play.series import PERSON
from duelbook.play.sitting import check_hint, move_seed
from duelbook.position import LUCK, Position
from duelbook.web import protocol as p
from duelbook.web.logs import LOG, log
from duelbook.web.metrics import Metrics
from duelbook.web.rooms.commands import Refusal, Seats, decide, draw, fail, out_of_time, sit
from duelbook.web.rooms.creation import create, create_rematch, hashed, new_secret
from duelbook.web.rooms.engines import MOST_CRASHES, Engines
from duelbook.web.rooms.presence import Connection, LiveRoom, presence, room_of
from duelbook.web.rooms.pubsub import Notice, PubSub
from duelbook.web.rooms.room import Event, Room, computer_name, fold
from duelbook.web.rooms.store import Store, StoreError
from duelbook.web.rooms.views import UpdateFrames, drawn, encode, has_hand, snapshot, view

IDLE = 60.0
"""Seconds after which a room without connections is dropped from memory."""
AGAIN = 2.0
"""Seconds before a failed task is retried."""
PATIENCE = 4.0
"""Seconds that a new game waits to hear whether the computer can play it."""
PREPARING = 1.0
"""Seconds after which the players are told that the computer still prepares."""


PASSING = ("stale", "over", "busy", "later")
"""The codes of refusals after which a task looks at the room again."""


def wall_clock() -> int:
    """Return the time in milliseconds."""
    return time.time_ns() // 1_000_000


class Hub:
    """Handles every event of every game: decides it, stores it, then sends it."""

    def __init__(
        self,
        store: Store,
        engines: Engines,
        pubsub: PubSub,
        metrics: Metrics,
        now: Callable[[], int] = wall_clock,
    ) -> None:
        self.store, self.engines, self.pubsub, self.metrics = store, engines, pubsub, metrics
        self.now = now
        self.began = now()
        self._rooms: dict[str, LiveRoom] = {}

    # Beginning a game -------------------------------------------------------------------------

    async def create(self, wish: p.NewGame) -> p.Seated:
        """Create a game, and seat the one who asked for it."""
        secret = new_secret()
        terms, happened = await asyncio.to_thread(create, wish, secret, self.now())
        if wish.mode == "computer" and terms.players != (PERSON, PERSON):
            await self._check_level(terms.game, wish.level)
        await self.store.create(terms, happened)
        self.metrics.games.labels(terms.game.slug, wish.mode).inc()
        seats = [e.seat for e in happened if e.kind == "sit" and e.seat is not None]
        return p.Seated(terms.id, seats, secret)

    async def _check_level(self, game: type[Position], level: str) -> None:
        """Refuse a level that is known within a few seconds to be unable to play a game."""
        try:
            async with asyncio.timeout(PATIENCE):
                why = await self.engines.why_not(game, level)
        except (TimeoutError, Refusal):
            return  # those at the table will be told
        if why:
            raise Refusal("level", why)

    async def sit(self, id: str, wish: p.SitDown) -> p.Seated:  # noqa: A002 # what everyone calls it
        """Give someone the open seat of a game."""
        secret = new_secret()

        def wanted(room: Room, now: int) -> Event:
            return sit(room, wish.name, hashed(secret), help=wish.help, now=now)

        live = await self.live(id)
        _, _, event = await self._commit(live, wanted)
        assert event.seat is not None  # noqa: S101 # a seat is what was given
        return p.Seated(id, [event.seat], secret)

    # Being at a game --------------------------------------------------------------------------

    async def live(self, id: str) -> LiveRoom:  # noqa: A002 # see above
        """Return a game, read from the database unless it is in memory."""
        while True:
            live = self._rooms.setdefault(id, LiveRoom(id))
            live.used = time.monotonic()
            if not live.stale and not self.pubsub.shared:
                return live  # otherwise another server may have changed it
            async with live.lock:
                if self._rooms.get(id) is not live:
                    continue  # it was dropped while we waited
                try:
                    await self._catch_up(live)
                except Refusal:
                    del self._rooms[id]
                    raise
                return live

    def seats_of(self, live: LiveRoom, secret: str | None) -> Seats:
        """Return the seats that a secret holds; refuse a secret that holds none."""
        if secret is None:
            return frozenset()
        proof, holders = hashed(secret), room_of(live).holders
        seats = frozenset(s for s in (0, 1) if hmac.compare_digest(holders[s], proof))
        if not seats:
            raise Refusal("secret", "This secret does not open a seat of this game.")
        return seats

    async def enter(self, id: str, secret: str | None, connection: Connection) -> LiveRoom:  # noqa: A002 # see above
        """Connect someone to a game, and send them a snapshot."""
        live = await self.live(id)
        connection.seats = self.seats_of(live, secret)
        connection.send(encode(snapshot(room_of(live), connection.seats, self.now())).decode())
        live.connections.add(connection)
        if live.evaluation and _is_evaluated(live):
            connection.send(encode(live.evaluation).decode())
        self._tell_presence(live)
        self._schedule(live)
        return live

    def leave(self, live: LiveRoom, connection: Connection) -> None:
        """Disconnect someone."""
        live.connections.discard(connection)
        live.used = time.monotonic()
        self._tell_presence(live)

    async def show(self, id: str, secret: str | None) -> p.Snapshot:  # noqa: A002 # see above
        """Return a snapshot of a game."""
        live = await self.live(id)
        return snapshot(room_of(live), self.seats_of(live, secret), self.now())

    # What happens in a game -------------------------------------------------------------------

    async def act(
        self, live: LiveRoom, seats: Seats, command: p.Command, connection: Connection | None = None
    ) -> tuple[Room, Room]:
        """Carry out a command and tell everyone, or refuse it; return the room before and after."""

        def wanted(room: Room, now: int) -> Event:
            return decide(room, seats, command, now)

        if isinstance(command, p.TakeOver):
            await self._check_level(room_of(live).terms.game, command.level)
        before, room, event = await self._commit(live, wanted, connection, command.number)
        if event.kind == "time":
            raise Refusal("over", "The time had run out.")
        return before, room

    async def _commit(
        self,
        live: LiveRoom,
        wanted: Callable[[Room, int], Event],
        connection: Connection | None = None,
        number: int | None = None,
    ) -> tuple[Room, Room, Event]:
        """Decide an event, store it, and only then send it; retry if another server was faster."""
        async with live.lock:
            if live.stale:
                await self._catch_up(live)
            while True:
                before = room_of(live)
                event = wanted(before, self.now())
                try:
                    if await self.store.append(live.id, before.seq, event):
                        break
                    await self._catch_up(live)
                except StoreError:  # it may have been stored all the same
                    live.stale = True
                    self._begin(live, "news", self._read_news)
                    raise
            # A lost clock does not answer the move that came too late.
            self._apply(live, event, connection, None if event.kind == "time" else number)
            self.metrics.happened(event.kind)
            room = room_of(live)
        if self.pubsub.shared:
            self._tell_others(live)
        return before, room, event

    async def _catch_up(self, live: LiveRoom) -> None:
        """Read the events that this process does not know yet; the caller holds the lock."""
        if live.room is None:
            terms = await self.store.terms(live.id)
            if terms is None:
                raise Refusal("unknown", "There is no such game, or it is gone.")
            happened = await self.store.events(live.id)
            try:
                live.room = fold(Room.begin(terms), happened)
            except DuelbookError as error:  # the rules have changed since
                raise StoreError("This game cannot be read any more.") from error
            waited = live.room.since is not None and live.room.since < self.began
            if waited and not self.pubsub.shared:
                # Nobody loses the time during which there was no server.
                resumed = Event("resume", at=self.now())
                if await self.store.append(live.id, live.room.seq, resumed):
                    live.room = live.room.after(resumed)
            live.stale = False
            self._schedule(live)
            return
        news = await self.store.events(live.id, live.room.seq)
        live.stale = False
        for event in news:
            self._apply(live, event)

    def _apply(
        self,
        live: LiveRoom,
        event: Event,
        connection: Connection | None = None,
        number: int | None = None,
    ) -> None:
        before = room_of(live)
        room = live.room = before.after(event)
        self._tell(live, before, room, connection, number)
        if event.kind == "help" and live.evaluation and _is_evaluated(live):
            self._send_all(live, live.evaluation)
        self._schedule(live)

    # Telling ----------------------------------------------------------------------------------

    def _tell(
        self,
        live: LiveRoom,
        before: Room,
        room: Room,
        author: Connection | None,
        number: int | None,
    ) -> None:
        news = UpdateFrames(before, room, self.now())
        for connection in live.connections:
            connection.send(news.frame(connection.seats, number if connection is author else None))

    def _tell_presence(self, live: LiveRoom) -> None:
        self._send_all(live, presence(live))
        if self.pubsub.shared:
            self._tell_others(live)

    def _tell_others(self, live: LiveRoom) -> None:
        here = [sum(seat in connection.seats for connection in live.connections) for seat in (0, 1)]
        watching = sum(not connection.seats for connection in live.connections)
        self.pubsub.publish(Notice(live.id, self.pubsub.server, here, watching))

    def _send_all(self, live: LiveRoom, message: p.ToClient) -> None:
        frame = encode(message).decode()
        for connection in live.connections:
            connection.send(frame)

    # Other servers ----------------------------------------------------------------------------

    async def received(self, notice: Notice) -> None:
        """Take a notice of another server: a change, or who is connected there."""
        live = self._rooms.get(notice.game)
        if live is None:
            return
        before, known = presence(live), live.elsewhere.pop(notice.server, None)
        if any(notice.seats) or notice.watching:
            live.elsewhere[notice.server] = notice, time.monotonic()
            if known is None:
                self._tell_others(live)  # a new server does not know who is connected here
        if presence(live) != before:
            self._send_all(live, presence(live))
        await self._refresh([live])

    async def poll(self) -> None:
        """Read the changes of other servers whose notices were missed."""
        rooms = list(self._rooms.values())
        lengths = await self.store.lengths([live.id for live in rooms]) if rooms else {}
        behind = [r for r in rooms if r.room and r.room.seq < lengths.get(r.id, 0)]
        await self._refresh(behind)

    async def _refresh(self, rooms: Iterable[LiveRoom]) -> None:
        for live in rooms:
            try:
                await self._read_news(live)
            except StoreError:
                self._begin(live, "news", self._read_news)

    async def _read_news(self, live: LiveRoom) -> None:
        async with live.lock:
            if live.room:
                live.stale = True  # until it has been read
                await self._catch_up(live)

    # What the server itself does --------------------------------------------------------------

    def _schedule(self, live: LiveRoom) -> None:
        """Start what a room waits for: the computer, the clock, the rematch, an evaluation."""
        room = room_of(live)
        if live.stale:
            self._begin(live, "news", self._read_news)
        if room.luck_to_move:
            self._begin(live, "luck", self._draw)
        if room.computer is not None and not room.over and not room.failed:
            if not self.engines.is_prepared(room.terms.game, room.players[room.computer]):
                self._begin(live, "prepare", self._prepare)
            elif room.computer_to_move:
                self._begin(live, "move", self._think)
        if room.over and all(room.rematch) and room.next is None:
            self._begin(live, "next", self._begin_next)
        if live.timer:
            live.timer.cancel()
            live.timer = None
        deadline = room.deadline()
        if deadline is not None and not room.over:
            delay = max(0, deadline - self.now()) / 1000
            loop = asyncio.get_running_loop()
            live.timer = loop.call_later(delay, lambda: self._begin(live, "time", self._call_time))
        if live.connections and _wants_evaluation(live):
            self._begin(live, "evaluation", self._evaluate)

    def _begin(
        self, live: LiveRoom, what: str, work: Callable[[LiveRoom], Awaitable[None]]
    ) -> None:
        """Start a task unless it is running; when it is done, it looks at the room again."""
        if what in live.tasks:
            return

        async def attempt() -> None:
            again = True
            try:
                await work(live)
            except Refusal as refusal:
                again = refusal.code in PASSING  # other refusals are final
                if refusal.code in ("busy", "later"):
                    await asyncio.sleep(AGAIN)
            except DuelbookError as error:
                log("task failed", logging.WARNING, what=what, why=str(error))
                again = isinstance(error, StoreError)  # nothing else passes by itself
                await asyncio.sleep(AGAIN)
            except Exception:
                again = False
                LOG.exception("failed: %s", what)
            finally:
                live.tasks.pop(what, None)
            if again:
                self._schedule(live)

        live.tasks[what] = asyncio.create_task(attempt())

    async def _think(self, live: LiveRoom) -> None:
        room = room_of(live)
        level, seat = room.computer_to_move, room.position.to_move
        if level is None:
            return
        seed = move_seed(room.terms.seed, room.turn)
        try:
            move = await self.engines.choose(room.record(seat), level, seed)
            live.crashes = 0
            await self.act(live, frozenset({seat}), p.Play(move, room.turn))
        except StoreError:
            raise
        except Refusal as refusal:
            live.crashes += refusal.code == "later"
            if refusal.code in PASSING and live.crashes < MOST_CRASHES:
                raise
            await self._fail(live, level, str(refusal) if refusal.code == "limit" else refusal)
        except Exception as error:  # whatever a player or a game does wrong
            await self._fail(live, level, error)

    async def _fail(self, live: LiveRoom, level: str, error: Exception | str) -> None:
        """Tell everyone that the computer cannot go on; an error itself may tell of its hand."""
        live.crashes = 0
        why = error if isinstance(error, str) else f"{computer_name(level)} failed at its move."
        log("computer failed", logging.WARNING, player=level, error=type(error).__name__)
        await self._commit(live, lambda room, now: fail(room, level, why, now))

    async def _prepare(self, live: LiveRoom) -> None:
        """Let the computer prepare, and tell those who wait for it."""
        room = room_of(live)
        assert room.computer is not None  # noqa: S101 # as `_schedule` has seen
        level = room.players[room.computer]

        def tell(preparing: bool) -> None:
            if live.preparing != preparing:
                live.preparing = preparing
                self._send_all(live, presence(live))

        timer = asyncio.get_running_loop().call_later(PREPARING, tell, True)
        try:
            why = await self.engines.why_not(room.terms.game, level)
        finally:
            timer.cancel()
            tell(False)
        if why:
            await self._fail(live, level, why)

    async def _draw(self, live: LiveRoom) -> None:
        """Make luck's moves."""
        while room_of(live).luck_to_move:
            await self._commit(live, draw)

    async def _call_time(self, live: LiveRoom) -> None:
        def wanted(room: Room, now: int) -> Event:
            event = out_of_time(room, now)
            if event is None:
                raise Refusal("stale", "There is time left.")
            return event

        await self._commit(live, wanted)

    async def _evaluate(self, live: LiveRoom) -> None:
        room = room_of(live)
        value, said = await self.engines.evaluate(room.position)
        live.evaluation = p.Evaluation(room.turn, value, said)
        if _is_evaluated(live):
            self._send_all(live, live.evaluation)

    async def hint(self, live: LiveRoom, seats: Seats) -> p.Hint:
        """Return a hint to the holder of these seats."""
        room = room_of(live)
        if not room.gives_help:
            raise Refusal("turn", "Hints need the consent of both players.")
        if room.over:
            raise Refusal("over", "The game is over.")
        mover = room.position.to_move
        if mover not in seats:
            raise Refusal("turn", "A hint is for the player to move.")
        if len(seats) > 1 and has_hand(room.position):
            raise Refusal("turn", "A hint about a hidden hand would be seen by both of you.")
        try:
            check_hint(room.position, shared=len(seats) > 1)
        except DuelbookError as error:
            raise Refusal("turn", str(error)) from error
        return p.Hint(room.turn, await self.engines.hint(room.record(mover)))

    def look(self, live: LiveRoom, seats: Seats) -> p.Looked:
        """Return what the player to move may see, to the holder of both seats."""
        room = room_of(live)
        mover = room.position.to_move
        if len(seats) < 2 or room.over or mover == LUCK:
            raise Refusal("turn", "There is no hidden hand to look at.")
        return p.Looked(room.turn, view(room.position, frozenset({mover}), over=False))

    def drawn(self, live: LiveRoom) -> list[p.Drawn]:
        """Return what could fall at each draw of a finished game."""
        room = room_of(live)
        if not room.over:
            raise Refusal("turn", "The draws can be checked after the game.")
        return drawn(room)

    async def analyse(self, live: LiveRoom) -> p.Analysis:
        """Return the analysis of a finished game."""
        room = room_of(live)
        if not room.over:
            raise Refusal("turn", "The analysis is available after the game.")
        if live.analysis:
            return live.analysis
        try:
            data = await self.engines.analyse(room.match.without_secrets())
        except Refusal:
            raise
        except DuelbookError as error:
            return p.Analysis([], [], [None, None], why_not=str(error))
        except Exception:  # of a solver, or of a game of one's own
            LOG.exception("failed: analysis")
            return p.Analysis([], [], [None, None], why_not="This game cannot be analysed.")
        moves = [
            p.Judgement(
                m["number"],
                m["player"] - 1,
                m["move"],
                m["mark"],
                m["best"],
                f"{m['does']}" if m["mark"] == "best" else f"{m['does']}; the best {m['should']}",
            )
            for m in data["moves"]
        ]
        curve, soundness = data["value_to_player_1"], data["accuracy"]
        live.analysis = p.Analysis(curve, moves, soundness, data["decided_by"])
        return live.analysis

    async def _begin_next(self, live: LiveRoom) -> None:
        """Create the rematch: seats swapped, same secrets."""
        terms, happened = create_rematch(room_of(live), self.now())
        await self.store.create(terms, happened)

        def wanted(room: Room, now: int) -> Event:
            if room.next is not None:
                raise Refusal("stale", "The next game has begun already.")
            return Event("next", text=terms.id, at=now)

        await self._commit(live, wanted)
        self.metrics.games.labels(terms.game.slug, "rematch").inc()

    # Housekeeping ----------------------------------------------------------------------------

    def tidy(self) -> None:
        """Drop idle rooms from memory, and publish the presence in the others."""
        late = time.monotonic() - IDLE
        for live in list(self._rooms.values()):
            self._forget_the_silent(live, late)
            if (
                not live.connections
                and live.used < late
                and not live.tasks
                and not live.lock.locked()
            ):
                live.cancel_tasks()
                del self._rooms[live.id]

    def _forget_the_silent(self, live: LiveRoom, late: float) -> None:
        """Stop counting the connections of a server that has gone silent."""
        if live.connections and self.pubsub.shared:
            self._tell_others(live)
        silent = [server for server, (_, at) in live.elsewhere.items() if at < late]
        for server in silent:
            del live.elsewhere[server]
        if silent:
            self._send_all(live, presence(live))

    async def sweep(self, before: int) -> int:
        """Delete the games without an event since a time; return how many."""
        gone = await self.store.sweep(before)
        for id in gone:  # noqa: A001 # what everyone calls it
            live = self._rooms.pop(id, None)
            if live:
                live.cancel_tasks()
                for connection in live.connections:
                    connection.game_deleted = True
                self._send_all(
                    live, p.Refused("unknown", "This game was deleted because it was inactive.")
                )
        return len(gone)

    @property
    def rooms(self) -> int:
        """The number of games in memory."""
        return len(self._rooms)

    async def close(self) -> None:
        """Drop all rooms and wait for their tasks."""
        for live in self._rooms.values():
            live.cancel_tasks()
        tasks = [task for live in self._rooms.values() for task in live.tasks.values()]
        await asyncio.gather(*tasks, return_exceptions=True)
        self._rooms.clear()


def _is_evaluated(live: LiveRoom) -> bool:
    """Whether the evaluation is up to date and may be shown."""
    room = room_of(live)
    known = live.evaluation is not None and live.evaluation.turn == room.turn
    return known and room.gives_help


def _wants_evaluation(live: LiveRoom) -> bool:
    room = room_of(live)
    may_be_told = all(room.help) and not room.over and not room.open_seats
    may_be_told = may_be_told and room.position.to_move != LUCK
    return may_be_told and not _is_evaluated(live) and not _has_secrets(room)


def _has_secrets(room: Room) -> bool:
    """Whether one side knows something that the evaluation would give away."""
    everyone = room.seen_by(frozenset())
    return everyone != room.match.moves or secrecy.public_view(room.position) != room.position
