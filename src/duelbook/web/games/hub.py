"""The hub: the games in the memory of this process, and everyone connected to them."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial, reduce

from duelbook import secrecy
from duelbook.analysis.hint import MoveHint
from duelbook.compute.engines import MAX_CRASHES, Engines
from duelbook.compute.shared_jobs import SharedJobs
from duelbook.compute.time_slices import TimeSlices
from duelbook.compute.worker_pool import TooSlow, UnavailableError
from duelbook.errors import DuelbookError
from duelbook.json_logs import LOG, log
from duelbook.play.match import DRAWN_BY, check_hint
from duelbook.play.names import computer_name
from duelbook.play.series import PERSON, move_seed
from duelbook.position import CHANCE, Position
from duelbook.web import protocol as p
from duelbook.web.games.capacity import Capacity, Caps
from duelbook.web.games.commands import (
    Refusal,
    Seats,
    cut_off,
    decide,
    draw,
    ending,
    fail,
    refused_if_unavailable,
    sit,
)
from duelbook.web.games.creation import ID, create, create_rematch, hashed, new_secret
from duelbook.web.games.loading import PAGE, UNKNOWN, Loader
from duelbook.web.games.overdue import OverdueState, Waits, overdue
from duelbook.web.games.presence import Connection, LiveRoom, note_away, presence, room_of
from duelbook.web.games.room import Room
from duelbook.web.games.views import (
    RECEIVERS,
    WATCHING,
    UpdateFrames,
    encode,
    encode_analysis,
    has_hand,
    snapshot,
    view,
)
from duelbook.web.metrics import Metrics
from duelbook.web.store.clock import Clock, monotonic
from duelbook.web.store.game_events import GameEvent, GameTerms
from duelbook.web.store.pubsub import Notice, PubSub
from duelbook.web.store.store import Store, StoreError
from duelbook.web.store.uptime import Uptime

IDLE = 60.0
"""Seconds after which a room without connections is dropped from memory."""
AGAIN = 2.0
"""Seconds before a failed task is retried."""
LEVEL_CHECK_TIMEOUT_SECONDS = 4.0
"""Seconds that a new game waits to hear whether the computer can play it."""
PREPARING = 1.0
"""Seconds after which the players are told that the computer still prepares."""
MAX_EVENTS_IN_MEMORY = 10
"""Events of a new game that is kept in memory at once."""
PRESENCE = 0.5
"""Seconds from one word to a room about who is here to the next."""


PASSING = ("stale", "over", "busy", "later")
"""The codes of refusals after which a task looks at the room again."""
Then = Callable[[Exception | None], None]
"""What is called when a command has been carried out, with what was wrong, or None."""


class Hub:
    """Handles every event of every game: decides it, stores it, then sends it."""

    def __init__(  # noqa: PLR0913 # what it works with
        self,
        store: Store,
        engines: Engines,
        pubsub: PubSub,
        metrics: Metrics,
        steady: Callable[[], int] = monotonic,
        *,
        caps: Caps | None = None,
    ) -> None:
        """Prepare; `steady` tells the milliseconds since some moment."""
        self.store, self.engines, self.pubsub, self.metrics = store, engines, pubsub, metrics
        self.now = Clock(steady)
        self.uptime = Uptime(store, self.now, shared=pubsub.shared)
        self.waits = Waits()
        self._capacity = Capacity(store, caps or Caps())
        self._rooms: dict[str, LiveRoom] = {}
        self.time_slices = TimeSlices()
        self._loader = Loader(store, self.time_slices)
        self._hints, self._analyses = SharedJobs[MoveHint](), SharedJobs[bytes]()
        self._reading = asyncio.Lock()
        self._acts: set[asyncio.Task[None]] = set()

    # Beginning a game -------------------------------------------------------------------------

    async def create(self, wish: p.NewGame) -> p.Seated:
        """Create a game, and seat the one who asked for it."""
        await self._capacity.check()
        secret = new_secret()
        if wish.save is None:
            terms, happened = create(wish, secret, self.now())
        else:
            async with self._reading:  # one at a time: threads take time from the event loop
                terms, happened = await asyncio.to_thread(create, wish, secret, self.now())
        if wish.mode == "computer" and terms.players != (PERSON, PERSON):
            await self._check_level(terms.game, wish.level)
        await self.store.create(terms, happened)
        self._remember(terms, happened)
        self.metrics.games.labels(terms.game.slug, wish.mode).inc()
        seats = [e.seat for e in happened if e.kind == "sit" and e.seat is not None]
        return p.Seated(terms.id, seats, secret)

    async def _check_level(self, game: type[Position], level: str) -> None:
        """Refuse a level that is known within a few seconds to be unable to play a game."""
        try:
            async with asyncio.timeout(LEVEL_CHECK_TIMEOUT_SECONDS):
                why = await self.engines.why_not(game, level)
        except (TimeoutError, UnavailableError):
            return  # the players will see it in the game
        if why:
            raise Refusal("level", why)

    async def sit(self, id: str, wish: p.SitDown) -> p.Seated:  # noqa: A002 # what everyone calls it
        """Give someone the open seat of a game."""
        secret = new_secret()

        def wanted(room: Room, now: int) -> GameEvent:
            return sit(room, wish.name, hashed(secret), help=wish.help, now=now)

        live = await self.live(id)
        _, _, event = await self._commit(live, wanted)
        assert event.seat is not None  # noqa: S101 # a seat is what was given
        return p.Seated(id, [event.seat], secret)

    # Being at a game --------------------------------------------------------------------------

    async def live(self, id: str) -> LiveRoom:  # noqa: A002 # see above
        """Return a game, read from the database unless it is in memory."""
        if not ID.fullmatch(id):
            raise Refusal("unknown", UNKNOWN)
        while True:
            live = self._rooms.get(id) or self._new_room(id)
            live.used = time.monotonic()
            if not live.stale and not self.pubsub.shared:
                self._schedule_new(live)
                return live  # otherwise another server may have changed it
            async with live.lock:
                if self._rooms.get(id) is not live:
                    continue  # it was dropped while we waited
                try:
                    if live.stale or self.pubsub.shared:
                        await self._catch_up(live)
                except Refusal:
                    del self._rooms[id]
                    raise
                self._schedule_new(live)
                return live

    def _remember(self, terms: GameTerms, happened: Sequence[GameEvent]) -> None:
        """Keep a new game in memory, so that it need not be read; a long one would take long."""
        if len(happened) <= MAX_EVENTS_IN_MEMORY and self._has_room():
            room = reduce(Room.after, happened, Room.begin(terms))
            live = LiveRoom(terms.id, room, stale=False, is_new=True, used=time.monotonic())
            note_away(live, self.now())
            self._rooms[terms.id] = live

    def _schedule_new(self, live: LiveRoom) -> None:
        """Start what a new game waits for, when someone first looks at it."""
        if live.is_new:
            live.is_new = False
            self._schedule(live)

    def seats_of(self, live: LiveRoom, secret: str | None) -> Seats:
        """Return the seats that a secret holds; refuse a secret that holds none."""
        if secret is None:
            return frozenset()
        seats = _held(room_of(live), secret)
        if not seats:
            raise Refusal("secret", "This secret does not open a seat of this game.")
        return seats

    def known_seats(self, id: str, secret: str) -> Seats:  # noqa: A002 # see above
        """Return the seats that a secret holds, if the game is in memory."""
        live = self._rooms.get(id)
        return _held(live.room, secret) if live and live.room else frozenset()

    async def enter(self, id: str, secret: str | None, connection: Connection) -> LiveRoom:  # noqa: A002 # see above
        """Connect someone to a game, and send them a snapshot."""
        live = await self.live(id)
        connection.seats = self.seats_of(live, secret)
        connection.send(encode(snapshot(room_of(live), connection.seats, self.now())).decode())
        live.connections.add(connection)
        note_away(live, self.now())
        if _is_evaluated(live):
            connection.send(encode(live.evaluations[connection.seats]).decode())
        if not self._tell_presence(live):  # the others are told in a moment
            connection.send(encode(self._presence(live)).decode())
        self._schedule(live)
        return live

    def leave(self, live: LiveRoom, connection: Connection) -> None:
        """Disconnect someone; nothing is evaluated for nobody."""
        live.connections.discard(connection)
        note_away(live, self.now())
        live.used = time.monotonic()
        if not live.connections and (evaluating := live.tasks.pop("evaluation", None)):
            evaluating.cancel()
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

        def wanted(room: Room, now: int) -> GameEvent:
            late = self._overdue(live) if isinstance(command, p.Abort | p.Claim) else None
            return decide(room, seats, command, now, late)

        if isinstance(command, p.TakeOver):
            await self._check_level(room_of(live).terms.game, command.level)
        if isinstance(command, p.Rematch):
            await self._capacity.check()
        before, room, event = await self._commit(live, wanted, connection, command.number)
        if why := _why_ended(event):
            raise Refusal("over", why)
        return before, room

    async def _commit(
        self,
        live: LiveRoom,
        wanted: Callable[[Room, int], GameEvent],
        connection: Connection | None = None,
        number: int | None = None,
    ) -> tuple[Room, Room, GameEvent]:
        """Decide an event, store it, and only then send it; retry if another server was faster."""
        arrived = self.now()  # whatever else it has to wait for costs nobody time
        if self.uptime.is_silent(arrived):
            await self.note_uptime()
        async with live.lock:
            try:
                if live.stale:
                    await self._catch_up(live)
                await self._resume(live)
                while True:
                    before = room_of(live)
                    event = wanted(before, max(arrived, before.at))
                    if await self.store.append(live.id, before.seq, event):
                        break
                    await self._catch_up(live)
            except StoreError:
                self._read_again(live)
                raise
            self._happened(live, event, connection, number)
            return before, room_of(live), event

    def _happened(
        self, live: LiveRoom, event: GameEvent, connection: Connection | None, number: int | None
    ) -> None:
        """Send what has been stored."""
        # The end of the game does not answer the command that came too late.
        self._apply(live, event, connection, None if _why_ended(event) else number)
        self.metrics.happened(event.kind)
        if self.pubsub.shared:
            self._tell_others(live)

    # What happens most, without a task --------------------------------------------------------

    def begin_act(
        self, live: LiveRoom, connection: Connection, command: p.Command, then: Then
    ) -> None:
        """Do what `act` does, and call `then` with what was wrong, or None.

        A move that has to wait for nothing but the disk needs no task, which would take longer
        than the move itself.
        """
        now = self.now()
        if not isinstance(command, p.Play) or not self._waits_for_disk_alone(live, now):
            self._act_in_task(live, connection, command, then)
            return
        before = room_of(live)
        try:
            event = decide(before, connection.seats, command, max(now, before.at))
        except Exception as error:  # as `act` would raise it
            live.lock.release()
            then(error)
            return
        stored = self.store.append(live.id, before.seq, event)
        stored.add_done_callback(partial(self._stored, live, connection, command, then, event))

    def _waits_for_disk_alone(self, live: LiveRoom, now: int) -> bool:
        """Whether the next event has to wait for nothing else; if so, its room is locked."""
        room = room_of(live)
        if live.stale or self.uptime.is_silent(now) or (room.terms.clock and self._time_lost(room)):
            return False
        return live.lock.take()

    def _stored(  # noqa: PLR0913, PLR0917 # all that a move consists of
        self,
        live: LiveRoom,
        connection: Connection,
        command: p.Play,
        then: Then,
        event: GameEvent,
        stored: asyncio.Future[bool],
    ) -> None:
        """Go on with a move that is on disk, or that could not be stored."""
        wrong: Exception | None = None
        try:
            if not stored.result():  # another server was faster
                self._act_in_task(live, connection, command, then)
                return
            self._happened(live, event, connection, command.number)
            if why := _why_ended(event):
                wrong = Refusal("over", why)
        except StoreError as error:
            self._read_again(live)
            wrong = error
        except Exception as error:  # as `act` would raise it
            wrong = error
        finally:
            live.lock.release()
        then(wrong)

    def _act_in_task(
        self, live: LiveRoom, connection: Connection, command: p.Command, then: Then
    ) -> None:
        async def attempt() -> None:
            try:
                await self.act(live, connection.seats, command, connection)
            except Exception as error:  # whatever it is, someone waits for it
                then(error)
            else:
                then(None)

        task = asyncio.create_task(attempt())
        self._acts.add(task)
        task.add_done_callback(self._acts.discard)

    def _read_again(self, live: LiveRoom) -> None:
        """Ask the database what has happened: what could not be stored may have been."""
        live.stale = True
        self._begin(live, "news", self._read_news)

    async def _catch_up(self, live: LiveRoom) -> None:
        """Read the events that this process does not know yet; the caller holds the lock."""
        if live.room is None:
            live.room = await self._loader.load(live.id)
            live.stale = False
            note_away(live, self.now())
            try:
                await self._resume(live)
            except StoreError:
                live.room, live.stale = None, True
                raise
            self._schedule(live)
            return
        more = True
        while more:
            news = await self.store.events(live.id, live.room.seq, PAGE)
            more = len(news) == PAGE
            live.stale = more
            for event in news:
                self._apply(live, event)

    async def _resume(self, live: LiveRoom) -> None:
        """Give the time back during which there was no server; the caller holds the lock."""
        while lost := self._time_lost(room := room_of(live)):
            event = GameEvent("resume", text=str(lost), at=max(self.now(), self.uptime.began))
            if await self.store.append(live.id, room.seq, event):
                self._apply(live, event)
            else:
                await self._catch_up(live)  # another server was faster

    def _time_lost(self, room: Room) -> int:
        """Return for how long there was no server since a room's last event, if it has clocks."""
        lost = self.uptime.time_lost(room.at)
        is_timed = lost and room.terms.clock and not room.over and not room.open_seats
        return lost if is_timed else 0

    async def note_uptime(self) -> None:
        """Note that this server is there; if there was none for a while, clocks are put right."""
        if await self.uptime.note():
            for live in list(self._rooms.values()):
                if live.room and self._time_lost(live.room):
                    self._begin(live, "resume", self._resume_unasked)

    async def _resume_unasked(self, live: LiveRoom) -> None:
        async with live.lock:
            await self._resume(live)

    def _apply(
        self,
        live: LiveRoom,
        event: GameEvent,
        connection: Connection | None = None,
        number: int | None = None,
    ) -> None:
        before = room_of(live)
        room = live.room = before.after(event)
        self._tell(live, before, room, connection, number)
        if event.kind == "help" and _is_evaluated(live):
            self._send_evaluations(live)
        if self._overdue(live) != live.overdue:
            self._send_presence(live)
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

    def _send_presence(self, live: LiveRoom) -> None:
        self._send_all(live, self._presence(live))

    def _presence(self, live: LiveRoom) -> p.Presence:
        """Return who is connected, and what may be done about a player to move who is not."""
        now, message = self.now(), presence(live)
        note_away(live, now)
        live.overdue = self._overdue(live)
        if live.overdue:
            message.overdue = p.Overdue(live.overdue.may, max(0, live.overdue.at - now))
        return message

    def _overdue(self, live: LiveRoom) -> OverdueState | None:
        """Return when the player to move is overdue; who is away is known while servers talk."""
        room = room_of(live)
        if live.away == (None, None) and not room.terms.clock:
            return None  # as after most moves
        heard = self.now() - 1000 * self.pubsub.connected_for()
        ours, theirs = (None if at is None else round(max(at, heard)) for at in live.away)
        return overdue(room, self.waits, (ours, theirs))

    def _tell_presence(self, live: LiveRoom, *, others: bool = True) -> bool:
        """Tell who is here, now or soon: a room hears it at most twice a second, and last at last.

        Other servers hear it, too, unless they know it. Return whether it was told now.
        """
        live.others_unaware |= others and self.pubsub.shared
        if live.presence_timer:
            return False
        loop = asyncio.get_running_loop()
        wait = live.presence_told + PRESENCE - loop.time()
        if wait > 0:
            live.presence_timer = loop.call_later(wait, self._tell_presence_now, live)
            return False
        self._tell_presence_now(live)
        return True

    def _tell_presence_now(self, live: LiveRoom) -> None:
        live.presence_timer, live.presence_told = None, asyncio.get_running_loop().time()
        self._send_presence(live)
        if live.others_unaware:
            live.others_unaware = False
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
        if live.room and presence(live) != before:
            note_away(live, self.now())
            self._tell_presence(live, others=False)
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
        if room.chance_to_move:
            self._begin(live, "chance", self._draw)
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
        if cut_off(room, room.at):
            self._begin(live, "cut", self._call_time)
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
                if live.tasks.get(what) is task:
                    del live.tasks[what]
            if again:
                self._schedule(live)

        task = live.tasks[what] = asyncio.create_task(attempt())

    async def _think(self, live: LiveRoom) -> None:
        room = room_of(live)
        level, seat = room.computer_to_move, room.position.to_move
        if level is None:
            return
        seed = move_seed(room.terms.seed, room.turn)
        try:
            with refused_if_unavailable():
                move = await self.engines.choose(room.record(seat), level, seed)
            live.crashes = 0
            await self.act(live, frozenset({seat}), p.Play(move, room.turn))
        except StoreError:
            raise
        except TooSlow:
            await self._fail(live, level, f"{computer_name(level)} took too long for its move.")
        except Refusal as refusal:
            live.crashes += refusal.code == "later"
            if refusal.code in PASSING and live.crashes < MAX_CRASHES:
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
                self._tell_presence(live, others=False)

        timer = asyncio.get_running_loop().call_later(PREPARING, tell, True)
        try:
            with refused_if_unavailable():
                why = await self.engines.why_not(room.terms.game, level)
        finally:
            timer.cancel()
            tell(False)
        if why:
            await self._fail(live, level, why)

    async def _draw(self, live: LiveRoom) -> None:
        """Make chance's moves."""
        while room_of(live).chance_to_move:
            await self._commit(live, draw)

    async def _call_time(self, live: LiveRoom) -> None:
        def wanted(room: Room, now: int) -> GameEvent:
            event = ending(room, now)
            if event is None:
                raise Refusal("stale", "There is time left.")
            return event

        await self._commit(live, wanted)

    async def _evaluate(self, live: LiveRoom) -> None:
        room = room_of(live)
        listeners = tuple(room.listener(seats) for seats in RECEIVERS)
        with refused_if_unavailable():
            value, said = await self.engines.evaluate(room.position, listeners)
        live.evaluations = {
            seats: p.Evaluation(room.turn, value, text)
            for seats, text in zip(RECEIVERS, said, strict=True)
        }
        if _is_evaluated(live):
            self._send_evaluations(live)

    def _send_evaluations(self, live: LiveRoom) -> None:
        frames = {seats: encode(message).decode() for seats, message in live.evaluations.items()}
        for connection in live.connections:
            connection.send(frames[connection.seats])

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
        with refused_if_unavailable():
            hint = await self._hints.get(
                (live.id, room.turn, mover), lambda: self.engines.hint(room.record(mover))
            )
        return p.Hint(room.turn, hint.move, hint.text, hint.lost)

    def look(self, live: LiveRoom, seats: Seats) -> p.Looked:
        """Return what the player to move may see, to the holder of both seats."""
        room = room_of(live)
        mover = room.position.to_move
        if len(seats) < 2 or room.over or mover == CHANCE:
            raise Refusal("turn", "There is no hidden hand to look at.")
        return p.Looked(room.turn, view(room.position, frozenset({mover}), over=False))

    async def analyse(self, live: LiveRoom) -> bytes:
        """Return the analysis of a finished game, encoded."""
        room = room_of(live)
        if not room.over:
            raise Refusal("turn", "The analysis is available after the game.")
        if live.analysis is None:
            live.analysis = await self._analyses.get(live.id, lambda: self._analyse(room))
        return live.analysis

    async def _analyse(self, room: Room) -> bytes:
        try:
            with refused_if_unavailable():
                return await self.engines.analyse(room.without_secrets(), encode_analysis)
        except Refusal:
            raise
        except DuelbookError as error:
            why = str(error)
        except Exception:  # of a solver, or of a game of one's own
            LOG.exception("failed: analysis")
            why = "This game cannot be analysed."
        return encode(p.Analysis([], [], [None, None], why_not=why))

    async def _begin_next(self, live: LiveRoom) -> None:
        """Create the rematch: seats swapped, same secrets."""
        terms, happened = create_rematch(room_of(live), self.now())
        await self.store.create(terms, happened)
        self._remember(terms, happened)

        def wanted(room: Room, now: int) -> GameEvent:
            if room.next is not None:
                raise Refusal("stale", "The next game has begun already.")
            return GameEvent("next", text=terms.id, at=now)

        await self._commit(live, wanted)
        self.metrics.games.labels(terms.game.slug, "rematch").inc()

    # Housekeeping ----------------------------------------------------------------------------

    def tidy(self) -> None:
        """Drop idle rooms from memory, and publish the presence in the others."""
        late = time.monotonic() - IDLE
        for live in list(self._rooms.values()):
            self._forget_the_silent(live, late)
            if live.used < late:
                self._drop_if_idle(live)

    def _drop_if_idle(self, live: LiveRoom) -> None:
        if not live.connections and not live.tasks and not live.lock.locked():
            live.cancel_tasks()
            del self._rooms[live.id]

    def _new_room(self, id: str) -> LiveRoom:  # noqa: A002 # see above
        """Return a room in memory that is still to be read; the idle ones make way for it."""
        if not self._has_room():
            raise Refusal("busy", "Too many games are being played here: try again later.")
        live = self._rooms[id] = LiveRoom(id)
        return live

    def _has_room(self) -> bool:
        """Whether one more game fits into memory, once the idle ones have made way."""
        limit = self._capacity.caps.rooms
        if len(self._rooms) >= limit:
            for live in list(self._rooms.values()):
                self._drop_if_idle(live)
        return len(self._rooms) < limit

    def _forget_the_silent(self, live: LiveRoom, late: float) -> None:
        """Stop counting the connections of a server that has gone silent."""
        if live.connections and self.pubsub.shared:
            self._tell_others(live)
        silent = [server for server, (_, at) in live.elsewhere.items() if at < late]
        for server in silent:
            del live.elsewhere[server]
        if silent and live.room:
            note_away(live, self.now())
            self._tell_presence(live, others=False)

    async def sweep(self, before: int) -> int:
        """Delete some games without an event since a time, if there are; return how many."""
        gone = await self.store.sweep(before)
        for id in gone:  # noqa: A001 # what everyone calls it
            live = self._rooms.pop(id, None)
            if live:
                live.cancel_tasks()
                why = "This game was deleted because it was inactive."
                self._send_all(live, p.Refused("unknown", why))
                for connection in live.connections:
                    connection.end(p.Close.UNKNOWN, why)
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
        await asyncio.gather(*tasks, *self._acts, return_exceptions=True)
        self._rooms.clear()


def _held(room: Room, secret: str) -> Seats:
    proof = hashed(secret)
    return frozenset(s for s in (0, 1) if hmac.compare_digest(room.holders[s], proof))


def _why_ended(event: GameEvent) -> str:
    """Say how an event ends a game without anyone's command; nothing if it does not."""
    if event.kind == "draw" and event.text == "cut":
        return DRAWN_BY["cut"]
    return "The time had run out." if event.kind == "time" else ""


def _is_evaluated(live: LiveRoom) -> bool:
    """Whether the evaluation is up to date and may be shown."""
    room, told = room_of(live), live.evaluations.get(WATCHING)
    return told is not None and told.turn == room.turn and room.gives_help


def _wants_evaluation(live: LiveRoom) -> bool:
    room = room_of(live)
    may_be_told = all(room.help) and not room.over and not room.open_seats
    may_be_told = may_be_told and room.position.to_move != CHANCE
    return may_be_told and not _is_evaluated(live) and not _has_secrets(room)


def _has_secrets(room: Room) -> bool:
    """Whether one side knows something that the evaluation would give away."""
    everyone = room.seen_by(frozenset())
    return everyone != room.match.moves or secrecy.public_view(room.position) != room.position
