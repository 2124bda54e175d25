"""A server that is killed at any moment has kept every move that it acknowledged."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import duelbook
from duelbook import Match
from duelbook.catalog.registry import find
from online import UNLIMITED, Live, live
from servers import PATIENCE, ForkedServer, PostgreSQL, Server, answers, running

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.longest]

TABLES, KILLS = 200, 20
WITH_TWO = 20  # of the tables; at the others one connection plays both seats
BOOKS = [game.slug for game in duelbook.games()]
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
GONE = (OSError, EOFError, ConnectionClosed, InvalidHandshake, httpx.TransportError)


@dataclass
class Game:
    """A game as its players remember it."""

    book: str
    id: str
    secrets: list[str]
    acknowledged: list[str] = field(default_factory=list)
    offered: str | None = None
    """A move that was sent, and of which nothing was heard yet."""


class Tournament:
    """Tables at which one game follows another until the server was killed often enough."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server, self.random = server, random.Random(seed)
        self.games: list[Game] = []
        self.acknowledged = 0
        self.enough = (0, asyncio.Event())
        self.there = asyncio.Event()  # set while the server is known to listen
        self.there.set()
        self.last_round = False

    async def run(self) -> None:
        """Play at all tables at once, and kill the server again and again meanwhile."""
        async with (
            httpx.AsyncClient(base_url=self.server.url, timeout=PATIENCE) as http,
            asyncio.TaskGroup() as tables,
        ):
            for number in range(TABLES):
                tables.create_task(self.table(number, http))
            for _ in range(KILLS):
                await self.moves(self.random.choice([1, 20, 150]) * self.random.randint(1, 4))
                self.there.clear()
                self.server.kill()
                self.server.launch()
                await self.listens()
            self.last_round = True

    async def listens(self) -> None:
        """Find the server again: one asks for all tables, so that it can start in peace."""
        async with asyncio.timeout(PATIENCE):
            while not answers(self.server.port):
                assert self.server.runs(), self.server.said()
                await asyncio.sleep(0.01)
        self.there.set()

    async def moves(self, count: int) -> None:
        """Wait until so many more moves have been acknowledged."""
        self.enough = (self.acknowledged + count, asyncio.Event())
        await self.enough[1].wait()

    async def table(self, number: int, http: httpx.AsyncClient) -> None:
        """Play one game after another, each to its end, whatever happens to the server."""
        game = None
        while game or not self.last_round:
            try:
                if game is None:
                    game = await self.begin(number, http)
                    self.games.append(game)
                await self.go_on(game)
                game = None
            except GONE:
                assert self.server.runs(), self.server.said()
                await self.there.wait()

    async def begin(self, number: int, http: httpx.AsyncClient) -> Game:
        """Begin a game with a secret for each seat, or with one for both."""
        book = BOOKS[number % len(BOOKS)]
        mode = "friend" if number < WITH_TWO else "device"
        mine = await http.post("/api/games", json={"book": book, "mode": mode})
        game = Game(book, mine.raise_for_status().json()["id"], [mine.json()["secret"]])
        if mode == "friend":
            yours = await http.post(f"/api/games/{game.id}/seats", json={})
            game.secrets.append(yours.raise_for_status().json()["secret"])
        return game

    async def go_on(self, game: Game) -> None:
        """Play a game until it ends, or the server does."""
        async with AsyncExitStack() as stack:
            seats = [
                await stack.enter_async_context(live(self.server, game.id, secret))
                for secret in game.secrets
            ]
            recall(game, seats)
            while not seats[0].result:
                mover = seats[seats[0].game["view"]["to_move"] % len(seats)]
                game.offered = self.random.choice(mover.legal)
                answer = await mover.play(game.offered)
                assert answer["type"] == "update", answer
                self.acknowledge(game, game.offered)
                for seat in seats:
                    await seat.until_turn(mover.turn)
            recall(game, seats)

    def acknowledge(self, game: Game, move: str) -> None:
        """Note what the server has promised to keep."""
        game.acknowledged.append(move)
        game.offered = None
        self.acknowledged += 1
        if self.acknowledged >= self.enough[0]:
            self.enough[1].set()


def recall(game: Game, seats: list[Live]) -> None:
    """Compare what the server shows with what it acknowledged."""
    shown = seats[0].moves
    if game.offered and len(shown) == len(game.acknowledged) + 1:  # kept, but not yet answered
        game.acknowledged.append(game.offered)
    game.offered = None
    for seat in seats:
        assert len(seat.moves) == len(game.acknowledged)
        assert all(map(agrees, seat.moves, game.acknowledged)), (seat.moves, game.acknowledged)


def agrees(seen: str, move: str) -> bool:
    """Whether this is how a move may look while a part of it is secret."""
    return seen == move or (seen.endswith("?") and move.startswith(seen[:-1]))


async def check_what_is_stored(database: str, played: list[Game]) -> None:
    """Replay every game from the database, as its book's rules have it."""
    url = make_url(database)
    engine = create_async_engine(url.set(drivername=DRIVERS[url.drivername]))
    async with engine.connect() as connection:
        games = await connection.execute(text("SELECT id, book FROM games"))
        books = {row.id: row.book for row in games}
        rows = await connection.execute(
            text("SELECT game, seq, kind, text FROM events ORDER BY game, seq")
        )
        events: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for game, seq, kind, words in rows:
            assert seq == len(events[game])  # none is missing
            events[game].append((kind, words))
    await engine.dispose()
    for id_, book in books.items():
        match = Match.begin(find(book))
        for kind, words in events[id_]:
            match = match.play(words) if kind == "move" else match
    for game in played:
        moves = [words for kind, words in events[game.id] if kind == "move"]
        assert moves == game.acknowledged


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_what_was_acknowledged_outlives_a_server_that_is_killed(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    database = ""
    if kind == "postgresql":
        cluster: PostgreSQL = request.getfixturevalue("postgresql")
        database = cluster.database()
    with running(ForkedServer(tmp_path, *UNLIMITED, database=database)) as server:
        tournament = Tournament(server, seed=7)
        await tournament.run()
    assert len(tournament.games) >= TABLES
    await check_what_is_stored(server.database, tournament.games)
