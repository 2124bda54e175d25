"""What one client asks for may cost much, but the others do not wait for it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import httpx
import pytest

from async_tasks import wait_for_condition
from duelbook import position
from duelbook.compute.client_address import CLIENT_ADDRESS
from duelbook.compute.engines import Engines
from duelbook.compute.time_slices import SLICE_SECONDS, TimeSlices
from duelbook.errors import SaveError
from duelbook.play import saves
from duelbook.play.match import Match
from duelbook.play.series import Series
from duelbook.secrecy import Memory
from duelbook.web import protocol as p
from duelbook.web import routes
from duelbook.web.games import broadcast, loading
from duelbook.web.games.commands import Refusal
from duelbook.web.games.creation import hash_secret, new_id
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import Connection, LiveRoom, presence, room_of
from duelbook.web.games.response_cache import ResponseCache
from duelbook.web.games.state import views
from duelbook.web.games.state.room import Room
from duelbook.web.games.state.views import WATCHING, encode
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.server.app import create as create_app
from duelbook.web.server.conversation import Conversation
from duelbook.web.server.limits import Bucket
from duelbook.web.server.settings import Settings
from duelbook.web.store.clock import wall_clock
from duelbook.web.store.game_events import GameEvent, GameTerms
from duelbook.web.store.pubsub import NoPubSub
from duelbook.web.store.store import Store
from long_games import SECRETS, long_game, long_save
from second_client import ATTACKER_ADDRESS, second_client
from servers import TIMEOUT_SECONDS, Server, running

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

TOWER = "tower-defense-duel"
PROOFS = ["the secret of Ann", "the secret of Bo"]
BAD_IDS = ["\x00", "a\x00b", "x", "x" * 17, "ä" * 16, "../../etc/passwd", "x" * 2_000, "٣" * 16]


def terms() -> GameTerms:
    return GameTerms(new_id(), SECRETS, created=wall_clock())


def seated(*events: GameEvent) -> list[GameEvent]:
    """Return events after those that seat two people."""
    people = zip(("Ann", "Bo"), map(hash_secret, PROOFS), strict=True)
    said = [json.dumps({"name": name, "holder": proof, "help": False}) for name, proof in people]
    return [*(GameEvent("sit", seat, said[seat]) for seat in (0, 1)), *events]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    await store.open()
    yield store
    await store.close()


@pytest.fixture
async def hub(store: Store) -> AsyncIterator[Hub]:
    hub = Hub(store, Engines(), NoPubSub(), Metrics())
    yield hub
    await hub.close()
    hub.engines.close()


# A server ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the usual limits."""
    with running(Server(tmp_path_factory.mktemp("server"))) as server:
        yield server


async def stored(server: Server, *games: list[GameEvent]) -> list[str]:
    """Put games into the database of a server, which does not know them yet."""
    store, ids = Store(server.database), []
    store._lock = None  # noqa: SLF001 # the server has it
    await store.open()
    for events in games:
        await store.create(game := terms(), events)
        ids.append(game.id)
    await store.close()
    return ids


Ask = tuple[str, str, dict[str, Any]]
"""A method, a path, and what else is sent."""


async def ask_at_once(server: Server, *requests: Ask) -> list[int]:
    """Send requests from the attacker's address at the same time; return how they were answered.

    A client without an answer in time disconnects: that is status 0.
    """

    async def ask(method: str, path: str, more: dict[str, Any]) -> int:
        try:
            return (await http.request(method, path, **more)).status_code
        except httpx.TimeoutException:
            return 0

    transport = httpx.AsyncHTTPTransport(local_address=ATTACKER_ADDRESS)
    async with httpx.AsyncClient(
        base_url=server.url, transport=transport, timeout=TIMEOUT_SECONDS
    ) as http:
        return await asyncio.gather(*(ask(*request) for request in requests))


async def test_requests_about_long_games_do_not_delay_others(server: Server) -> None:
    """Games of 2,000 moves and many takebacks, and all that can be asked about them."""
    bomb = long_game(1_980)
    for _ in range(60):
        bomb += [GameEvent("takeback"), *bomb[-2:]]
    over = [*long_game(2_000), GameEvent("resign", 0)]
    games = await stored(server, seated(*bomb), seated(*over))
    more: dict[str, dict[str, Any]] = {
        "/record": {"headers": {"Authorization": f"Bearer {PROOFS[0]}"}},
        "/analysis": {"timeout": 1.0},  # which takes longer
    }
    requests: list[Ask] = [
        ("GET", f"/api/games/{game}{path}", more.get(path, {}))
        for path in ("", "/steps", "/save", "/analysis", "/record", "/draws")
        for game in games
    ]
    save = json.dumps({"save": long_save(2_000), "mode": "device"})
    requests += [("POST", "/api/games", {"content": save})] * 3
    requests += [("GET", f"/g/{games[0]}/qr.svg", {"headers": {"Host": f"h{n}"}}) for n in range(3)]
    with second_client(server) as other, other.assert_unaffected():
        answers = await anyio.to_thread.run_sync(
            lambda: asyncio.run(ask_at_once(server, *requests))
        )
    assert 200 in answers
    assert 429 in answers  # the rest was too much
    assert set(answers) <= {0, 200, 201, 401, 403, 409, 429, 503}


# Ids --------------------------------------------------------------------------------------------

BODIES: dict[str, dict[str, Any]] = {"sit": {}, "command": {"type": "resign", "answers": 0}}


@pytest.mark.parametrize("bad", BAD_IDS)
async def test_impossible_id_needs_no_query(bad: str) -> None:
    """The database of this server was never opened: whatever asked it would fail."""
    app = create_app(Settings("sqlite:///games.db"))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(base_url="http://here", transport=transport) as http:
        for route in routes.ROUTES:
            if "{id}" in route.path:
                path = route.path.replace("{id}", quote(bad, safe=""))
                answer = await http.request(route.method, path, json=BODIES.get(route.handler))
                assert answer.status_code == 404, (path, answer.text)
        assert (await http.get(f"/g/{quote(bad, safe='')}")).status_code == 404
    with pytest.raises(Refusal) as refused:
        await app.state.hub.connect(bad, None, Connection())
    assert refused.value.code == "unknown"


# The client address ----------------------------------------------------------------------------


async def test_work_runs_under_the_client_address(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a request and through a WebSocket, so that each address has its turn."""
    app, requests = create_app(Settings("sqlite:///games.db")), list[str]()

    async def live(_: str) -> LiveRoom:
        requests.append(CLIENT_ADDRESS.get())
        raise Refusal("unknown", "There is no such game.")

    monkeypatch.setattr(app.state.hub, "live_game", live)
    monkeypatch.setattr(hub, "live_game", live)
    transport = httpx.ASGITransport(app, client=("192.0.2.1", 1))
    async with httpx.AsyncClient(base_url="http://here", transport=transport) as http:
        await http.get(f"/api/games/{new_id()}")
    tasks = set[asyncio.Task[None]]()
    address = "192.0.2.2"
    talk = Conversation(
        Unheard(), hub, new_id(), address, hello_timeout=TIMEOUT_SECONDS, tasks=tasks
    )
    talk.receive('{"type":"hello"}')
    await wait_for_condition(lambda: not tasks)
    assert requests == ["192.0.2.1", "192.0.2.2"]


class Unheard:
    """A WebSocket at the other end of which nobody listens."""

    def send(self, message: bytes) -> None: ...
    def close(self, code: int, why: str = "") -> None: ...
    def hold(self) -> None: ...
    def release(self) -> None: ...


# Time slices ------------------------------------------------------------------------------------


def forever() -> Generator[None, None, None]:
    while True:
        yield


def steps(number: int, done: list[str], name: str) -> Generator[None, None, str]:
    """A computation of a given number of slow steps."""
    for _ in range(number):
        begun = time.perf_counter()
        while time.perf_counter() < begun + SLICE_SECONDS:
            pass
        done.append(name)
        yield
    return name


async def test_event_loop_runs_during_a_computation() -> None:
    computing = asyncio.create_task(TimeSlices().run(forever()))
    for _ in range(20):
        await asyncio.sleep(0)
    assert computing.cancel()


async def test_addresses_take_turns() -> None:
    turns, done = TimeSlices(), list[str]()

    def begin(asker: str, number: int) -> asyncio.Task[str]:
        CLIENT_ADDRESS.set(asker)
        return asyncio.create_task(turns.run(steps(number, done, asker)))

    greedy = [begin("greedy", 10) for _ in range(5)]
    modest = begin("modest", 5)
    assert await modest == "modest"
    assert done.count("greedy") <= 8  # not fifty
    for task in greedy[1:]:
        task.cancel()
    assert await greedy[0] == "greedy"


async def test_failed_or_cancelled_computation_releases_its_turn() -> None:
    def failing() -> Generator[None, None, None]:
        yield
        raise ZeroDivisionError

    turns = TimeSlices()
    endless = [asyncio.create_task(turns.run(forever())) for _ in range(3)]
    await asyncio.sleep(0)
    for task in endless:
        task.cancel()
    with pytest.raises(ZeroDivisionError):
        await turns.run(failing())
    assert await turns.run(steps(2, [], "last")) == "last"


# Response cache ---------------------------------------------------------------------------------


def saying(words: str, begun: list[str]) -> Generator[None, None, str]:
    begun.append(words)
    yield
    return words


async def test_response_is_computed_once_for_equal_views() -> None:
    answers, begun = ResponseCache(TimeSlices()), list[str]()
    room = Room.begin(terms())
    seats = [WATCHING, frozenset({0}), frozenset({1}), frozenset({0, 1})]
    for _ in range(2):
        requests = [
            answers.get(kind, room, holder, saying(f"{kind} {sorted(holder)}", begun))
            for kind in ("steps", "record")
            for holder in seats * 2
        ]
        responses = await asyncio.gather(*requests)
        expected = [
            f"{kind} {sorted(holder)}" for kind in ("steps", "record") for holder in seats * 2
        ]
        assert [json.loads(response) for response in responses] == expected
    assert len(begun) == 2 * len(seats)
    later = room.after(seated()[0])
    assert (
        json.loads(await answers.get("steps", later, WATCHING, saying("later", begun))) == "later"
    )


async def test_response_cache_has_a_maximum_size() -> None:
    answers, begun = ResponseCache(TimeSlices(), max_bytes=1_000), list[str]()
    rooms = [Room.begin(terms()) for _ in range(10)]
    for room in rooms:
        await answers.get("steps", room, WATCHING, saying("x" * 198, begun))
    assert len(begun) == 10
    await answers.get("steps", rooms[-5], WATCHING, saying("x" * 198, begun))
    assert len(begun) == 10
    await answers.get("steps", rooms[-6], WATCHING, saying("x" * 198, begun))
    assert len(begun) == 11
    for _ in range(2):  # one that is too large to keep drops no other
        await answers.get("draws", rooms[0], WATCHING, saying("x" * 500, begun))
    await answers.get("steps", rooms[-5], WATCHING, saying("x" * 198, begun))
    assert len(begun) == 13


async def test_responses_do_not_recompute_memories_or_moves(
    hub: Hub, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.create(game := terms(), seated(*long_game(30), GameEvent("resign", 0)))
    live = await hub.live_game(game.id)
    monkeypatch.setattr(Memory, "after", None)  # it must not be called
    room = room_of(live)
    await ResponseCache(hub.time_slices).get("steps", room, WATCHING, views.steps(room))
    assert len(room.without_secrets().moves) == 30
    assert saves.text(Series((room.match,)), room.seen_by(WATCHING))


# Reading a game ---------------------------------------------------------------------------------


async def test_game_is_loaded_in_pages(
    hub: Hub, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "EVENTS_PER_PAGE", 7)
    for length in (0, 4, 5, 6, 40):
        await store.create(game := terms(), seated(*long_game(length)))
        room = room_of(await hub.live_game(game.id))
        assert len(room.match.moves) == length
        assert room.seq == length + 2


async def test_long_loads_are_limited_per_address(
    hub: Hub, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "EVENTS_PER_PAGE", 20)
    monkeypatch.setattr(loading, "MAX_LONG_GAMES", 4)
    ids = []
    for length in (100,) * 6 + (0,):
        await store.create(game := terms(), seated(*long_game(length)))
        ids.append(game.id)

    def read(id: str, asker: str) -> asyncio.Task[LiveRoom]:  # noqa: A002 # what everyone calls it
        CLIENT_ADDRESS.set(asker)
        return asyncio.create_task(hub.live_game(id))

    long = [read(id, f"{number // 3}") for number, id in enumerate(ids[:6])]  # noqa: A001 # as above
    short = await read(ids[6], "0")
    assert room_of(short).seq == 2
    assert not any(task.done() and not task.exception() for task in long)
    results = await asyncio.gather(*long, return_exceptions=True)
    refused = [result for result in results if isinstance(result, Refusal)]
    assert len(refused) == 2
    assert {refusal.code for refusal in refused} == {"busy"}
    await read(ids[0], "0")
    await read(ids[2], "0")


async def test_concurrent_requests_load_a_game_once(
    hub: Hub, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.create(game := terms(), seated(*long_game(700)))
    reads, events = 0, store.events

    async def count(*arguments: Any, **limits: Any) -> list[GameEvent]:  # noqa: ANN401 # as it is called
        nonlocal reads
        reads += 1
        return await events(*arguments, **limits)

    monkeypatch.setattr(store, "events", count)
    rooms = await asyncio.gather(*(hub.live_game(game.id) for _ in range(30)))
    assert len(set(map(id, rooms))) == 1
    assert reads == 2  # of 702 events


# Saved games ------------------------------------------------------------------------------------


def test_save_file_is_parsed_in_linear_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether a match is over is asked for a match, not for each of its games again."""
    calls, outcome = 0, Match.outcome

    def count(self: Match) -> Any:  # noqa: ANN401 # see `Match`
        nonlocal calls
        calls += 1
        return outcome(self)

    monkeypatch.setattr(Match, "outcome", count)
    drawn = {"moves": [], "result": {"winner": None, "by": "agreement"}}
    games = [drawn | {"first": 1 + number % 2} for number in range(300)]
    saves.parse(long_save(0, game=TOWER, best_of=1_001, games=games), "The file")
    assert calls < 300 * 10


def test_save_with_too_many_moves_is_refused_before_replay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(position.Position, "play", None)  # it must not be called
    games = [{"first": 1, "moves": ["fortify"] * 60, "result": None}] * 2
    with pytest.raises(SaveError, match="at most 100 moves"):
        saves.parse(long_save(0, games=games), "The file", 100)


# Weights ----------------------------------------------------------------------------------------


def test_costly_requests_take_more_tokens() -> None:
    bucket = Bucket(10, 20, now=0)
    assert bucket.take(0, cost=15)
    assert not bucket.take(0, cost=6)
    assert bucket.take(0, cost=5)
    assert not bucket.take(0)
    assert bucket.take(2, cost=1_000)  # the whole bucket is enough for anything
    assert not bucket.take(2)
    assert bucket.take(2, cost=0)


# Presence ---------------------------------------------------------------------------------------


async def test_presence_updates_are_rate_limited(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "PRESENCE_INTERVAL_SECONDS", 1_000.0)
    seat, player = await hub.create(p.NewGame(TOWER)), Connection()
    live = await hub.connect(seat.id, seat.secret, player)
    crowd = [Connection() for _ in range(300)]
    for spectator in crowd:
        await hub.connect(seat.id, None, spectator)
    for spectator in crowd[:-1]:
        hub.disconnect(live, spectator)
    assert len(presence_messages(player)) == 1
    assert (
        presence_messages(crowd[-1])[-1]["watching"] == 300
    )  # a new connection gets the presence at once
    assert live.presence_timer is not None
    assert live.presence_timer.when() - asyncio.get_running_loop().time() <= 1_000.0
    live.presence_timer.cancel()
    live.presence_timer = None
    monkeypatch.setattr(broadcast, "PRESENCE_INTERVAL_SECONDS", 0.05)
    hub.disconnect(live, Connection())
    await wait_for_condition(lambda: len(presence_messages(player)) >= 2)
    assert presence_messages(player)[-1] == json.loads(encode(presence(live)))
    assert presence_messages(player)[-1]["watching"] == 1
    assert len(presence_messages(player)) == 2


def presence_messages(connection: Connection) -> list[dict[str, Any]]:
    """Return what a connection was told about who is here."""
    return [m for m in map(json.loads, connection.frames) if m["type"] == "presence"]
