"""A hub whose database fails, whose callers vanish, and which is not alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path

import pytest

from duelbook.web import protocol as p
from duelbook.web.metrics import Metrics
from duelbook.web.rooms import hub as hub_module
from duelbook.web.rooms.commands import Refusal
from duelbook.web.rooms.engines import Engines
from duelbook.web.rooms.hub import Hub
from duelbook.web.rooms.presence import Connection, LiveRoom, room_of
from duelbook.web.rooms.pubsub import NoPubSub, Notice
from duelbook.web.rooms.redis_pubsub import RedisPubSub
from duelbook.web.rooms.store import Store, StoreError

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

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
    monkeypatch.setattr(hub_module, "AGAIN", 0.01)
    hub = Hub(store, Engines(), NoPubSub(), Metrics(), clock)
    yield hub
    await hub.close()
    hub.engines.close()


async def begin(hub: Hub, wish: p.NewGame) -> tuple[LiveRoom, list[Connection]]:
    """Begin a game between two people, both of whom are there."""
    mine = await hub.create(wish)
    yours = await hub.sit(mine.id, p.SitDown("Bo"))
    connections = [Connection(), Connection()]
    live = await hub.enter(mine.id, mine.secret, connections[0])
    await hub.enter(mine.id, yours.secret, connections[1])
    return live, connections


async def play(hub: Hub, live: LiveRoom, connection: Connection, move: str) -> None:
    await hub.act(live, connection.seats, p.Play(move, room_of(live).turn), connection)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


def fail_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database refuse the next thing that happens."""
    append = store.append

    async def refuse(*_: object) -> bool:
        monkeypatch.setattr(store, "append", append)
        raise StoreError("The database cannot be reached: try again.")

    monkeypatch.setattr(store, "append", refuse)


# What failed is tried again ---------------------------------------------------------------------


async def test_the_computer_moves_once_the_database_is_back(
    hub: Hub, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = await hub.create(p.NewGame(TOWER, mode="computer", seat=1, level="easy"))
    fail_once(store, monkeypatch)
    live = await hub.enter(seated.id, seated.secret, Connection())
    await until(lambda: room_of(live).match.moves)


async def test_the_computer_moves_once_it_has_less_to_think_about(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = hub.engines.choose

    async def refuse(*_: object) -> str:
        monkeypatch.setattr(hub.engines, "choose", choose)
        raise Refusal("busy", "The computer is busy: try again later.")

    monkeypatch.setattr(hub.engines, "choose", refuse)
    seated = await hub.create(p.NewGame(TOWER, mode="computer", seat=1, level="easy"))
    live = await hub.enter(seated.id, seated.secret, Connection())
    await until(lambda: room_of(live).match.moves)


async def test_time_is_called_once_the_database_is_back(
    hub: Hub, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, connections = await begin(hub, p.NewGame(TOWER, clock=p.TimeControl(60)))
    for connection in connections:
        await play(hub, live, connection, "build 1")
    fail_once(store, monkeypatch)
    clock.now += 60_000
    hub._schedule(live)  # noqa: SLF001 # as the timer would, which goes by another clock
    await until(lambda: room_of(live).over)


async def test_a_computer_that_chooses_nonsense_is_not_asked_again_and_again(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    async def choose(*_: object) -> str:
        asked.append(1)
        return "nonsense"

    monkeypatch.setattr(hub.engines, "choose", choose)
    seated = await hub.create(p.NewGame(TOWER, mode="computer", seat=1))
    live = await hub.enter(seated.id, seated.secret, Connection())
    await until(lambda: asked and not live.tasks)
    assert len(asked) == 1


# Several servers --------------------------------------------------------------------------------


class Wire:
    """Passes words on between hubs, and counts them."""

    def __init__(self) -> None:
        self.said, self.hubs = 0, list[Hub]()
        self._tasks = set[asyncio.Task[None]]()

    def pass_on(self, notice: Notice) -> None:
        self.said += 1
        for hub in self.hubs:
            if hub.pubsub.server != notice.server:
                self._tasks.add(asyncio.create_task(hub.received(notice)))

    async def silence(self) -> None:
        while self._tasks and self.said < 1000:
            await self._tasks.pop()


class Station:
    """One end of the wire."""

    shared = True

    def __init__(self, wire: Wire, server: str) -> None:
        self.publish, self.server = wire.pass_on, server


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


async def test_servers_at_which_nobody_is_do_not_talk_for_ever(
    servers: tuple[Wire, Hub, Hub],
) -> None:
    wire, here, there = servers
    mine = await here.create(p.NewGame(TOWER))
    await there.live(mine.id)
    await here.sit(mine.id, p.SitDown())
    await wire.silence()
    assert wire.said < 10


async def test_servers_tell_each_other_who_is_there(servers: tuple[Wire, Hub, Hub]) -> None:
    wire, here, there = servers
    mine = await here.create(p.NewGame(TOWER))
    yours = await here.sit(mine.id, p.SitDown())
    one, other = Connection(), Connection()
    await here.enter(mine.id, mine.secret, one)
    live = await there.enter(mine.id, yours.secret, other)
    await wire.silence()
    for connection in (one, other):
        told = [m for m in map(json.loads, connection.frames) if m["type"] == "presence"]
        assert told[-1]["seats"] == [True, True]
    there.leave(live, other)
    await wire.silence()
    told = [m for m in map(json.loads, one.frames) if m["type"] == "presence"]
    assert told[-1]["seats"] == [True, False]


async def test_what_happened_is_counted_where_it_happened(servers: tuple[Wire, Hub, Hub]) -> None:
    wire, here, there = servers
    mine = await here.create(p.NewGame(TOWER))
    await there.live(mine.id)
    await here.sit(mine.id, p.SitDown())
    await wire.silence()
    assert b'kind="sit"' in here.metrics.text()
    assert b'kind="sit"' not in there.metrics.text()


async def test_a_server_listens_again_after_the_database_was_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("duelbook.web.rooms.redis_pubsub.PAUSE", 0.01)
    looked = []

    class Listener:
        async def received(self, notice: Notice) -> None:
            """Hear nothing."""

        async def poll(self) -> None:
            looked.append(1)
            if len(looked) < 5:
                raise StoreError("The database cannot be reached: try again.")

    pubsub = RedisPubSub("redis://127.0.0.1:1", lambda _: None)
    await pubsub.open(Listener())
    await until(lambda: len(looked) >= 6)
    await pubsub.close()


# Whoever wants something may vanish -------------------------------------------------------------


MOVE = {"move": "build 1", "answers": 0}


async def test_a_move_is_told_even_if_its_player_is_gone_before_it_is_kept(
    hub: Hub, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from duelbook.web.server.limits import Limiter, Limits
    from duelbook.web.server.websocket import WebSocketEndpoint

    seat = await hub.create(p.NewGame(TOWER))
    other, connection = await hub.sit(seat.id, p.SitDown()), Connection()
    await hub.enter(seat.id, other.secret, connection)
    connection.frames.clear()
    endpoint = WebSocketEndpoint(hub, Limiter(Limits(), lambda: 0.0))
    append, reached, go = store.append, asyncio.Event(), asyncio.Event()

    async def slowly(*arguments: object) -> bool:
        reached.set()
        await go.wait()
        kept: Callable[..., Awaitable[bool]] = append
        return await kept(*arguments)

    monkeypatch.setattr(store, "append", slowly)
    said = asyncio.Queue[dict[str, str]]()
    for words in ({"type": "hello", "secret": seat.secret}, {"type": "play", **MOVE}):
        said.put_nowait({"type": "websocket.receive", "text": json.dumps(words)})

    async def unheard(_: object) -> None:
        """Whoever made the move is gone."""

    talk = endpoint._converse(seat.id, said.get, unheard)  # noqa: SLF001 # what a connection does
    talking = asyncio.create_task(talk)
    await reached.wait()
    talking.cancel()
    go.set()
    await until(lambda: any('"moves"' in frame for frame in connection.frames))
    assert '"build 1"' in connection.frames[-1] or '"build 1"' in connection.frames[-2]


# What is too much -------------------------------------------------------------------------------


async def test_a_game_does_not_grow_for_ever(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.web.rooms.commands.MOST_MOVES", 2)
    live, connections = await begin(hub, p.NewGame(TOWER))
    for connection in connections:
        await play(hub, live, connection, "build 1")
    with pytest.raises(Refusal, match="at most 2 moves"):
        await play(hub, live, connections[0], "build 1")


async def test_help_that_is_allowed_already_makes_nothing_happen(hub: Hub) -> None:
    live, connections = await begin(hub, p.NewGame(TOWER))
    with pytest.raises(Refusal) as refused:
        await hub.act(live, connections[0].seats, p.AllowHelp(on=False))
    assert refused.value.code == "stale"


async def test_the_evaluation_is_not_told_once_a_side_forbids_it(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = asyncio.Event(), asyncio.Event()

    async def evaluate(_: object) -> tuple[float, str]:
        begun.set()
        await go.wait()
        return 1.0, "Player 1 wins."

    monkeypatch.setattr(hub.engines, "evaluate", evaluate)
    live, connections = await begin(hub, p.NewGame(TOWER, help=True))
    await hub.act(live, connections[1].seats, p.AllowHelp(on=True))
    await begun.wait()
    await hub.act(live, connections[1].seats, p.AllowHelp(on=False))
    go.set()
    await until(lambda: not live.tasks)
    assert all("evaluation" not in json.loads(frame)["type"] for frame in connections[0].frames)


async def test_whoever_is_at_a_game_that_is_cleaned_up_is_told_and_sent_away(
    hub: Hub, clock: Clock
) -> None:
    from duelbook.web.server.websocket import Closed, _speak

    _, connections = await begin(hub, p.NewGame(TOWER))
    sent = []

    async def send(message: Mapping[str, object]) -> None:
        sent.append(json.loads(str(message["text"])))

    assert await hub.sweep(clock.now + 1) == 1
    with pytest.raises(Closed) as closed:
        await _speak(connections[0], send)
    assert closed.value.code == p.Close.UNKNOWN
    assert sent[-1]["code"] == "unknown"
