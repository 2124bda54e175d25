"""Several servers on one database: clients of every server see the same game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest
from conftest import Serve
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from online import UNLIMITED, Live, bearer, begin, live, sit
from servers import TIMEOUT_SECONDS, PostgreSQL, Redis, Server, running, wait_until

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

MOVES = ["build 4", "build 4", "attack", "build 2", "build 4", "build 4", "attack", "build 1"]


@pytest.fixture(scope="module")
def pair(
    tmp_path_factory: pytest.TempPathFactory, postgresql: PostgreSQL, redis: Redis
) -> Iterator[tuple[Server, Server]]:
    """Two servers on one database."""
    folder, options = tmp_path_factory.mktemp("pair"), (*UNLIMITED, "--redis", redis.url)
    database = postgresql.database()
    with (
        running(Server(folder, *options, database=database)) as here,
        running(Server(folder, *options, database=database)) as there,
    ):
        yield here, there


def game_of_two(server: Server) -> tuple[str, list[str]]:
    """Begin a game, and return its id and the secrets of its seats."""
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        seat = begin(http)
        return seat["id"], [seat["secret"], sit(http, seat["id"])["secret"]]


@asynccontextmanager
async def everyone(
    pair: tuple[Server, Server], game: str, secrets: list[str]
) -> AsyncIterator[list[Live]]:
    """Connect the seats to different servers, and a spectator to each."""
    here, there = pair
    async with (
        live(here, game, secrets[0]) as first,
        live(there, game, secrets[1]) as second,
        live(here, game) as watching_here,
        live(there, game) as watching_there,
    ):
        yield [first, second, watching_here, watching_there]


def turns(connection: Live) -> list[int]:
    """Return the turn numbers that came, in the order in which they came."""
    frames = [frame for frame in connection.received if frame["type"] in ("snapshot", "update")]
    return [message["turn"] for message in frames]


async def play_on(people: list[Live], moves: list[str]) -> None:
    """Play moves by turns, each as soon as its player knows of the one before."""
    for move in moves:
        mover = people[people[0].game["view"]["to_move"]]
        answer = await mover.play(move)
        assert answer["type"] == "update", answer
        for client in people[:2]:
            await client.until_turn(mover.turn)


async def test_all_clients_receive_all_moves_in_order(pair: tuple[Server, Server]) -> None:
    game, secrets = game_of_two(pair[0])
    async with everyone(pair, game, secrets) as people:
        await play_on(people, MOVES)
        for client in people:
            await client.until_moves(*MOVES)
            assert turns(client) == sorted(turns(client))
        assert people[0].game["view"]["position"] == people[3].game["view"]["position"]
        while people[2].presence != {"type": "presence", "seats": [True, True], "watching": 2}:
            await people[2].receive()


async def test_no_move_is_lost_while_redis_is_down(
    pair: tuple[Server, Server], redis: Redis
) -> None:
    game, secrets = game_of_two(pair[0])
    async with everyone(pair, game, secrets) as people:
        await play_on(people, MOVES[:3])
        redis.stop()
        await play_on(people, MOVES[3:6])
        redis.start()
        await play_on(people, MOVES[6:])
        for client in people:
            await client.until_moves(*MOVES)


async def test_lost_notice_is_replaced_by_polling(
    pair: tuple[Server, Server],
) -> None:
    """A server may be killed between a commit and its notice, and the channel is never silent."""
    here, there = pair
    (game, secrets), (other, _) = game_of_two(here), game_of_two(here)
    url = make_url(here.database).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(url)
    lost = "INSERT INTO events (game, seq, at, kind, seat, text) VALUES (:g, :s, 0, 'move', 0, :m)"

    async def come_and_go() -> None:
        while True:
            async with live(there, other):
                await asyncio.sleep(0.1)

    noise = asyncio.create_task(come_and_go())
    try:
        async with live(here, game, secrets[1]) as waiting, engine.begin() as connection:
            row = {"g": game, "s": waiting.game["seq"], "m": MOVES[0]}
            await connection.execute(text(lost), row)
            await connection.commit()
            await waiting.until_moves(MOVES[0])
    finally:
        noise.cancel()
        await asyncio.gather(noise, return_exceptions=True)
        await engine.dispose()


async def test_servers_connect_to_redis_after_the_start(
    serve: Serve, postgresql: PostgreSQL, redis: Redis
) -> None:
    redis.stop()
    options, database = (*UNLIMITED, "--redis", redis.url), postgresql.database()
    pair = serve(*options, database=database), serve(*options, database=database)
    game, secrets = game_of_two(pair[0])
    redis.start()
    async with everyone(pair, game, secrets) as people:
        await play_on(people, MOVES)


async def test_only_one_of_two_simultaneous_moves_is_played(pair: tuple[Server, Server]) -> None:
    """The same seat offers different moves to both servers at once, again and again."""
    game, secrets = game_of_two(pair[0])
    here, there = pair
    played: list[str] = []
    async with (
        live(here, game, secrets[0]) as a0,
        live(there, game, secrets[0]) as b0,
        live(here, game, secrets[1]) as a1,
        live(there, game, secrets[1]) as b1,
    ):
        people = [a0, b0, a1, b1]
        for _ in range(5):
            for here_, there_ in ((a0, b0), (a1, b1)):
                answers = await asyncio.gather(here_.play("build 1"), there_.play("build 2"))
                kinds = [answer["type"] for answer in answers]
                assert sorted(kinds) == ["refused", "update"]
                assert answers[kinds.index("refused")]["code"] in ("stale", "turn")
                played.append(["build 1", "build 2"][kinds.index("update")])
                for client in people:
                    await client.until_moves(*played)


async def test_only_one_of_two_players_gets_the_seat(pair: tuple[Server, Server]) -> None:
    async with (
        httpx.AsyncClient(base_url=pair[0].url, timeout=TIMEOUT_SECONDS) as here,
        httpx.AsyncClient(base_url=pair[1].url, timeout=TIMEOUT_SECONDS) as there,
    ):
        for _ in range(5):
            response = await here.post("/api/games", json={"book": "tower-defense-duel"})
            seats = f"/api/games/{response.json()['id']}/seats"
            tries = await asyncio.gather(here.post(seats, json={}), there.post(seats, json={}))
            assert sorted(answer.is_success for answer in tries) == [False, True]


async def test_any_server_answers_requests(pair: tuple[Server, Server]) -> None:
    """Each command goes to the server that did not hear the last one, with nothing in between."""
    game, secrets = game_of_two(pair[0])
    with (
        httpx.Client(base_url=pair[0].url, timeout=TIMEOUT_SECONDS) as here,
        httpx.Client(base_url=pair[1].url, timeout=TIMEOUT_SECONDS) as there,
    ):
        turn = here.get(f"/api/games/{game}").json()["turn"]
        for number, move in enumerate(MOVES):
            http = (there, here)[number % 2]
            answer = http.post(
                f"/api/games/{game}/commands",
                json={"type": "play", "move": move, "answers": turn},
                headers=bearer(secrets[number % 2]),
            )
            assert answer.is_success, answer.text
            turn = answer.json()["turn"]
            other = (here, there)[number % 2].get(f"/api/games/{game}").json()
            assert other["moves"] == MOVES[: number + 1]


async def test_computer_moves_once_with_several_servers(pair: tuple[Server, Server]) -> None:
    with httpx.Client(base_url=pair[0].url, timeout=TIMEOUT_SECONDS) as http:
        seat = begin(http, mode="computer", level="easy", seat=1)
        game, secret = seat["id"], seat["secret"]
        async with live(pair[0], game, secret) as here, live(pair[1], game, secret) as there:
            for client in (here, there) * 4:
                while not client.legal:
                    await client.receive()
                await client.play(min(client.legal))
                if client.result:
                    break
            await here.until_turn(there.turn)
            await there.until_turn(here.turn)
            assert here.moves == there.moves
        steps = http.get(f"/api/games/{game}/steps").json()["steps"][1:]
        assert [step["seat"] for step in steps] == [n % 2 for n in range(len(steps))]
        assert [step["move"] for step in steps][: len(here.moves)] == here.moves


async def test_workers_share_all_games(serve: Serve, postgresql: PostgreSQL, redis: Redis) -> None:
    server = serve(
        *(*UNLIMITED, "--workers", "2", "--redis", redis.url),
        database=postgresql.database(),
        spawned=True,
    )
    wait_until(
        lambda: server.log_text().count('"started"') == 2, server.log_text
    )  # not one of them alone
    game, secrets = game_of_two(server)
    async with AsyncExitStack() as stack:
        people = [  # enough of them that both workers have some
            await stack.enter_async_context(live(server, game, secret))
            for secret in [*secrets, *[None] * 8]
        ]
        await play_on(people, MOVES)
        for client in people:
            await client.until_moves(*MOVES)
    server.stop()
    lines = [json.loads(line) for line in server.log_text().splitlines()]
    assert [line["said"] for line in lines].count("stopped") == 2
    assert all(line["level"] == "info" for line in lines), lines


async def test_servers_create_only_one_rematch(pair: tuple[Server, Server]) -> None:
    game, secrets = game_of_two(pair[0])
    async with everyone(pair, game, secrets) as people:
        first, second = people[:2]
        await first.request(type="resign", answers=first.turn)
        await second.until_turn(first.turn)
        both = await asyncio.gather(first.request(type="rematch"), second.request(type="rematch"))
        assert [answer["type"] for answer in both] == ["update", "update"]
        for client in people:
            while "next" not in client.status:
                await client.receive()
        assert len({client.status["next"] for client in people}) == 1
    async with everyone(pair, people[0].status["next"], [secrets[1], secrets[0]]) as people:
        await play_on(people, MOVES)
