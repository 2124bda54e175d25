"""A hub whose database fails, whose callers vanish, and which is not alone."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from async_tasks import wait_for_condition
from duelbook.compute.engines import Engines
from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import Connection, LiveRoom, room_of
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.server.conversation import Conversation
from duelbook.web.store.game_events import GameEvent
from duelbook.web.store.pubsub import NoPubSub, Notice
from duelbook.web.store.redis_pubsub import RedisPubSub
from duelbook.web.store.store import Store, StoreError

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

TOWER = "tower-defense-duel"


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    await store.open()
    yield store
    await store.close()


@pytest.fixture
async def hub(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    monkeypatch.setattr("duelbook.web.games.room_tasks.RETRY_SECONDS", 0.01)
    hub = Hub(store, Engines(), NoPubSub(), Metrics(), clock)
    yield hub
    await hub.close()
    hub.engines.close()


async def begin(hub: Hub, wish: p.NewGame) -> tuple[LiveRoom, list[Connection]]:
    """Begin a game between two people, both of whom are there."""
    seat = await hub.create(wish)
    yours = await hub.sit(seat.id, p.JoinGame("Bo"))
    connections = [Connection(), Connection()]
    live = await hub.connect(seat.id, seat.secret, connections[0])
    await hub.connect(seat.id, yours.secret, connections[1])
    return live, connections


async def play(hub: Hub, live: LiveRoom, connection: Connection, move: str) -> None:
    await hub.execute(live, connection.seats, p.Play(move, room_of(live).turn), connection)


def fail_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database refuse the next thing that happens."""
    append = store.append

    async def refuse(*_: object) -> bool:
        monkeypatch.setattr(store, "append", append)
        raise StoreError("The database cannot be reached: try again.")

    monkeypatch.setattr(store, "append", refuse)


# What failed is tried again ---------------------------------------------------------------------


async def test_computer_moves_after_the_database_recovers(
    hub: Hub, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = await hub.create(p.NewGame(TOWER, mode="computer", seat=1, level="easy"))
    fail_once(store, monkeypatch)
    live = await hub.connect(seated.id, seated.secret, Connection())
    await wait_for_condition(lambda: room_of(live).match.moves)


async def test_new_game_needs_no_query_and_the_computer_starts_it(
    hub: Hub, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unread(*_: object) -> None:
        pytest.fail("It was read.")

    monkeypatch.setattr(store, "terms", unread)
    seated = await hub.create(p.NewGame(TOWER, mode="computer", seat=1, level="easy"))
    live = await hub.live_game(seated.id)
    await wait_for_condition(lambda: room_of(live).match.moves)


async def test_new_game_in_memory_equals_the_stored_game(hub: Hub) -> None:
    for wish in (p.NewGame(TOWER, clock=p.TimeControl(60)), p.NewGame("token-tactics", name="Ann")):
        seated = await hub.create(wish)
        remembered = room_of(await hub.live_game(seated.id))
        hub.live_games.remove(seated.id)  # as if it had been idle
        assert room_of(await hub.live_game(seated.id)) == remembered


async def test_computer_retries_when_its_processes_are_free(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = hub.engines.choose

    async def refuse(*_: object) -> str:
        monkeypatch.setattr(hub.engines, "choose", choose)
        raise Refusal("busy", "The computer is busy: try again later.")

    monkeypatch.setattr(hub.engines, "choose", refuse)
    seated = await hub.create(p.NewGame(TOWER, mode="computer", seat=1, level="easy"))
    live = await hub.connect(seated.id, seated.secret, Connection())
    await wait_for_condition(lambda: room_of(live).match.moves)


async def test_timeout_is_stored_after_the_database_recovers(
    hub: Hub, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, connections = await begin(hub, p.NewGame(TOWER, clock=p.TimeControl(60)))
    for connection in connections:
        await play(hub, live, connection, "build 1")
    fail_once(store, monkeypatch)
    clock.now += 60_000
    hub.automation.schedule(live)  # as the timer would, which goes by another clock
    await wait_for_condition(lambda: room_of(live).over)


async def test_computer_with_an_illegal_move_is_not_retried(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    async def choose(*_: object) -> str:
        calls.append(1)
        return "nonsense"

    monkeypatch.setattr(hub.engines, "choose", choose)
    seated = await hub.create(p.NewGame(TOWER, mode="computer", seat=1))
    live = await hub.connect(seated.id, seated.secret, Connection())
    await wait_for_condition(lambda: calls and not live.tasks)
    assert len(calls) == 1


# Several servers --------------------------------------------------------------------------------


class Wire:
    """Passes words on between hubs, and counts them."""

    def __init__(self) -> None:
        self.said, self.hubs = 0, list[Hub]()
        self.connected_for = math.inf
        self._tasks = set[asyncio.Task[None]]()

    def pass_on(self, notice: Notice) -> None:
        self.said += 1
        for hub in self.hubs:
            if hub.pubsub.server != notice.server:
                self._tasks.add(asyncio.create_task(hub.notices.receive(notice)))

    async def silence(self) -> None:
        while self._tasks and self.said < 1000:
            await self._tasks.pop()


class Station:
    """One end of the wire."""

    shared = True

    def __init__(self, wire: Wire, server: str) -> None:
        self.publish, self.server = wire.pass_on, server
        self.connected_for = lambda: wire.connected_for


@pytest.fixture
async def servers(store: Store, clock: Clock) -> AsyncIterator[tuple[Wire, Hub, Hub]]:
    wire = Wire()
    wire.hubs = [
        Hub(store, Engines(), Station(wire, name), Metrics(), clock)  # type: ignore[arg-type]
        for name in "AB"
    ]
    yield wire, wire.hubs[0], wire.hubs[1]
    for hub in wire.hubs:
        await hub.close()


async def test_servers_without_connections_stop_sending_notices(
    servers: tuple[Wire, Hub, Hub],
) -> None:
    wire, first_hub, second_hub = servers
    seat = await first_hub.create(p.NewGame(TOWER))
    await second_hub.live_game(seat.id)
    await first_hub.sit(seat.id, p.JoinGame())
    await wire.silence()
    assert wire.said < 10


async def test_servers_share_presence(servers: tuple[Wire, Hub, Hub]) -> None:
    wire, first_hub, second_hub = servers
    seat = await first_hub.create(p.NewGame(TOWER))
    second_seat = await first_hub.sit(seat.id, p.JoinGame())
    first_connection, second_connection = Connection(), Connection()
    await first_hub.connect(seat.id, seat.secret, first_connection)
    live = await second_hub.connect(seat.id, second_seat.secret, second_connection)
    await wire.silence()
    await wait_for_condition(
        lambda: (
            presence_seats(first_connection)[-1]
            == presence_seats(second_connection)[-1]
            == [True, True]
        )
    )
    second_hub.disconnect(live, second_connection)
    await wait_for_condition(lambda: presence_seats(first_connection)[-1] == [True, False])
    await wire.silence()


def presence_seats(connection: Connection) -> list[list[bool]]:
    """Return the connected seats in each presence message of a connection."""
    return [m["seats"] for m in map(json.loads, connection.frames) if m["type"] == "presence"]


async def test_events_are_counted_only_by_the_server_that_stores_them(
    servers: tuple[Wire, Hub, Hub],
) -> None:
    wire, first_hub, second_hub = servers
    seat = await first_hub.create(p.NewGame(TOWER))
    await second_hub.live_game(seat.id)
    await first_hub.sit(seat.id, p.JoinGame())
    await wire.silence()
    assert b'kind="sit"' in first_hub.metrics.text()
    assert b'kind="sit"' not in second_hub.metrics.text()


async def test_server_receives_notices_after_the_database_recovers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("duelbook.web.store.redis_pubsub.PAUSE", 0.01)
    looked = []

    class Listener:
        async def receive(self, notice: Notice) -> None:
            """Hear nothing."""

        async def poll(self) -> None:
            looked.append(1)
            if len(looked) < 5:
                raise StoreError("The database cannot be reached: try again.")

    pubsub = RedisPubSub("redis://127.0.0.1:1", lambda _: None)
    await pubsub.open(Listener())
    await wait_for_condition(lambda: len(looked) >= 6)
    await pubsub.close()


# Clients that disconnect -----------------------------------------------------------------------


MOVE = {"move": "build 1", "answers": 0}


class Socket:
    """A WebSocket whose other end is the test."""

    def __init__(self) -> None:
        self.sent: list[dict[str, object]] = []
        self.codes: list[int] = []
        self.holds = False

    def send(self, message: bytes) -> None:
        self.sent.append(json.loads(message))

    def close(self, code: int, why: str = "") -> None:
        self.codes.append(code)

    def hold(self) -> None:
        self.holds = True

    def release(self) -> None:
        self.holds = False


async def test_move_is_sent_even_if_its_player_disconnects_before_the_commit(
    hub: Hub, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = await hub.create(p.NewGame(TOWER))
    other, connection = await hub.sit(seat.id, p.JoinGame()), Connection()
    live = await hub.connect(seat.id, other.secret, connection)
    talk, tasks = converse(hub, seat.id)
    talk.receive(json.dumps({"type": "hello", "secret": seat.secret}))
    await wait_for_condition(lambda: len(live.connections) == 2 and not tasks)
    connection.frames.clear()
    append, go = store.append, asyncio.Event()

    async def slowly(*arguments: object) -> bool:
        await go.wait()
        kept: Callable[..., Awaitable[bool]] = append
        return await kept(*arguments)

    monkeypatch.setattr(store, "append", lambda *row: asyncio.ensure_future(slowly(*row)))
    talk.receive(json.dumps({"type": "play", **MOVE}))
    talk.disconnect()
    go.set()
    await wait_for_condition(lambda: any(b'"build 1"' in frame for frame in connection.frames))
    await wait_for_condition(lambda: not tasks)
    assert live.connections == {connection}


async def test_client_that_disconnects_during_loading_is_not_counted(hub: Hub) -> None:
    seat = await hub.create(p.NewGame(TOWER))
    talk, tasks = converse(hub, seat.id)
    talk.receive(json.dumps({"type": "hello", "secret": seat.secret}))
    talk.disconnect()
    await wait_for_condition(lambda: not tasks)
    assert not (await hub.live_game(seat.id)).connections


async def test_hint_is_cancelled_after_a_disconnect(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def think(*_: object) -> str:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    monkeypatch.setattr(hub.engines, "hint", think)
    monkeypatch.setattr(hub.engines, "evaluate", think)
    seat = await hub.create(p.NewGame(TOWER, "device", help=True))
    talk, tasks = converse(hub, seat.id)
    talk.receive(json.dumps({"type": "hello", "secret": seat.secret}))
    await wait_for_condition(lambda: not tasks)
    begun.clear()
    talk.receive(json.dumps({"type": "hint"}))
    await begun.wait()
    assert not ended.is_set()
    talk.disconnect()
    await ended.wait()


def converse(
    hub: Hub, game: str, socket: Socket | None = None
) -> tuple[Conversation, set[asyncio.Task[None]]]:
    """Begin a conversation, and return it with the tasks that it starts."""
    tasks = set[asyncio.Task[None]]()
    return Conversation(
        socket or Socket(), hub, game, "an address", hello_timeout=60, tasks=tasks
    ), tasks


# A move needs no task -----------------------------------------------------------------------------


class Player:
    """Someone who plays both sides of a game by messages."""

    def __init__(self, hub: Hub) -> None:
        self.hub, self.socket = hub, Socket()

    async def enter(self) -> None:
        seat = await self.hub.create(p.NewGame(TOWER, mode="device"))
        self.talk, tasks = converse(self.hub, seat.id, self.socket)
        self.talk.receive(json.dumps({"type": "hello", "secret": seat.secret}))
        await wait_for_condition(lambda: not tasks)
        self.live = await self.hub.live_game(seat.id)

    async def send(self, **message: object) -> dict[str, object]:
        """Say something, and return what answers it."""
        self.talk.receive(json.dumps({"number": 7, **message}))
        await wait_for_condition(lambda: not self.socket.holds)
        return next(m for m in reversed(self.socket.sent) if m.get("reply") == 7)

    async def play(self, move: str = "build 1") -> dict[str, object]:
        self.socket.sent.clear()
        return await self.send(type="play", move=move, answers=room_of(self.live).turn)


@pytest.fixture
async def player(hub: Hub) -> Player:
    player = Player(hub)
    await player.enter()
    return player


async def test_move_is_stored_before_it_is_sent(player: Player, store: Store) -> None:
    for turn in (1, 2):
        update = await player.play()
        assert update["type"] == "update"
        assert update["moves"] == ["build 1"]
        stored = [e.text for e in await store.events(player.live.id) if e.kind == "move"]
        assert stored == ["build 1"] * turn
    assert not player.live.lock.locked()


async def test_refused_move_does_not_change_the_room(player: Player) -> None:
    assert (await player.play("build 9"))["code"] == "invalid"
    assert (await player.play("attack"))["code"] == "illegal"
    assert (await player.play())["type"] == "update"


async def test_move_can_be_repeated_after_a_store_error(
    player: Player, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, refused = store.append, asyncio.get_running_loop().create_future()
    refused.set_exception(StoreError("The database could not save this: try again."))
    monkeypatch.setattr(store, "append", lambda *_: refused)
    assert (await player.play())["code"] == "later"
    monkeypatch.setattr(store, "append", append)
    await wait_for_condition(lambda: not player.live.stale)
    assert (await player.play())["type"] == "update"


async def test_slower_server_reads_the_faster_servers_move_first(
    player: Player, store: Store
) -> None:
    turn = room_of(player.live).turn
    await store.append(player.live.id, room_of(player.live).seq, GameEvent("move", 0, "build 4", 1))
    refused = await player.send(type="play", move="build 1", answers=turn)
    assert refused["code"] == "stale"
    assert room_of(player.live).match.moves == ("build 4",)
    assert (await player.play("build 2"))["type"] == "update"
    assert room_of(player.live).match.moves == ("build 4", "build 2")


async def test_move_waits_for_the_lock_of_its_room(player: Player) -> None:
    async with player.live.lock:
        answer = asyncio.create_task(player.play())
        await asyncio.sleep(0)
        assert player.socket.holds
        assert not room_of(player.live).match.moves
    assert (await answer)["type"] == "update"


async def test_error_in_a_game_closes_the_connection_and_releases_the_lock(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(player.hub.broadcast, "update", fail)
    turn = room_of(player.live).turn
    player.talk.receive(json.dumps({"type": "play", "move": "build 1", "answers": turn}))
    await wait_for_condition(lambda: not player.socket.holds)
    assert player.socket.codes == [1011]
    assert not player.live.lock.locked()


# What is too much -------------------------------------------------------------------------------


async def test_game_has_a_maximum_of_moves(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.web.games.commands.MAX_MOVES", 2)
    live, connections = await begin(hub, p.NewGame(TOWER, clock=p.TimeControl(60)))
    for connection in connections:
        await play(hub, live, connection, "build 1")
    await wait_for_condition(lambda: room_of(live).over)
    with pytest.raises(Refusal, match="The game is over"):
        await play(hub, live, connections[0], "build 1")
    status = json.loads(connections[0].frames[-1])["status"]
    assert (status["result"]["winner"], status["result"]["by"]) == (None, "cut")
    assert "running" not in status["clocks"]


async def test_repeated_help_setting_is_refused(hub: Hub) -> None:
    live, connections = await begin(hub, p.NewGame(TOWER))
    with pytest.raises(Refusal) as refused:
        await hub.execute(live, connections[0].seats, p.AllowHelp(on=False))
    assert refused.value.code == "stale"


async def test_evaluation_is_not_sent_after_a_player_forbids_help(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = asyncio.Event(), asyncio.Event()

    async def evaluate(_: object, listeners: Sequence[object]) -> tuple[float, list[str]]:
        begun.set()
        await go.wait()
        return 1.0, ["Player 1 wins."] * len(listeners)

    monkeypatch.setattr(hub.engines, "evaluate", evaluate)
    live, connections = await begin(hub, p.NewGame(TOWER, help=True))
    await hub.execute(live, connections[1].seats, p.AllowHelp(on=True))
    await begun.wait()
    await hub.execute(live, connections[1].seats, p.AllowHelp(on=False))
    go.set()
    await wait_for_condition(lambda: not live.tasks)
    assert all("evaluation" not in json.loads(frame)["type"] for frame in connections[0].frames)


async def test_deleting_a_game_closes_its_connections(hub: Hub, clock: Clock) -> None:
    class Client(Connection):
        def close(self, code: p.Close, why: str) -> None:
            ended.append(code)

    ended: list[p.Close] = []
    live, connections = await begin(hub, p.NewGame(TOWER))
    live.connections.add(Client())
    assert await hub.delete_inactive_games(clock.now + 1) == 1
    assert json.loads(connections[0].frames[-1])["code"] == "unknown"
    assert ended == [p.Close.UNKNOWN]


async def test_player_command_passes_when_its_address_is_over_the_limit(hub: Hub) -> None:
    """Otherwise the other player behind it could let their clock run out."""
    from starlette.responses import Response

    from duelbook.web.server.limits import Limiter, ServerLimits
    from duelbook.web.server.middleware import GuardMiddleware

    seat = await hub.create(p.NewGame(TOWER, clock=p.TimeControl(60)))
    await hub.live_game(seat.id)
    guard = GuardMiddleware(Response("ok"), Limiter(ServerLimits(rate=5), lambda: 0.0), hub)

    async def ask(secret: str, path: str) -> int:
        sent: list[Any] = []

        async def send(message: object) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "method": "POST",
            "path": f"/api/games/{seat.id}/{path}",
            "headers": [(b"authorization", f"Bearer {secret}".encode())],
            "client": ("127.0.0.1", 1),
        }
        await guard(scope, hub.close, send)  # type: ignore[arg-type] # nothing is received
        return int(sent[0]["status"])

    assert [await ask("other", "commands") for _ in range(11)] == [200] * 10 + [429]
    assert await ask(seat.secret, "commands") == 200
    assert await ask("other", "commands") == 429
    assert await ask(seat.secret, "steps") == 429
    assert [await ask(seat.secret, "commands") for _ in range(10)] == [200] * 9 + [429]
