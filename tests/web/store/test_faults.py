"""Databases that hang, refuse or fill up: nobody waits without end, and health shows it."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import asyncpg  # type: ignore[import-untyped] # theirs
import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from online import UNLIMITED, DeviceGame, live
from proxy import Proxy
from servers import TIMEOUT_SECONDS, PostgreSQL, Redis, Server, running, wait_until

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

OPTIONS = (*UNLIMITED, "--database-timeout", "1")
NOWHERE = 16 * "A"  # what could be the id of a game, so that the database is asked


class Game(DeviceGame):
    """A game on a server whose database fails."""

    def is_well(self) -> bool:
        return self.http.get("/healthz").status_code == 200

    def goes_on(self) -> None:
        """Play a move; a busy disk may need longer than the second that it has."""
        wait_until(lambda: self.move().is_success, self.server.log_text)

    def check_fault(self) -> None:
        """A move is refused, to be tried again, and health says why."""
        refused = self.move()
        assert refused.status_code == 503
        assert "try again" in refused.json()["why"]
        health = self.http.get("/healthz")
        assert health.status_code == 503
        assert "database" in health.json()["why"]

    def check_cure(self) -> None:
        """Health is back without further ado, and the game goes on where it was."""
        wait_until(self.is_well, self.server.log_text)
        self.goes_on()
        assert len(self.show().json()["moves"]) >= len(self.moves)


Play = Callable[[Server], Game]


@pytest.fixture
def play() -> Iterator[Play]:
    """Begin games, and leave them after the test."""
    with ExitStack() as stack:

        def play(server: Server) -> Game:
            game = Game(server)
            stack.callback(game.http.close)
            return game

        yield play


def failures(server: Server) -> float:
    """Return the number of store failures in the metrics."""
    text = httpx.get(f"{server.url}/metrics", timeout=TIMEOUT_SECONDS).text
    families = text_string_to_metric_families(text)
    counters = [counter for counter in families if counter.name == "duelbook_store_failures"]
    return sum(
        sample.value for counter in counters for sample in counter.samples if "total" in sample.name
    )


@contextmanager
def fault(game: Game) -> Iterator[None]:
    """Check that a fault within the block is seen, and is over with it."""
    game.goes_on()
    wait_until(game.is_well, game.server.log_text)
    before, log_length = failures(game.server), len(game.server.log_text())
    yield
    game.check_cure()
    assert failures(game.server) > before
    lines = [json.loads(line) for line in game.server.log_text()[log_length:].splitlines()]
    assert any(line["level"] == "error" and line.get("cause") for line in lines)


# SQLite -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(Server(tmp_path_factory.mktemp("sqlite"), *OPTIONS)) as server:
        yield server


def test_locked_sqlite_file(play: Play, on_sqlite: Server) -> None:
    game = play(on_sqlite)
    with fault(game), closing(sqlite3.connect(file_of(on_sqlite))) as other:
        other.execute("BEGIN EXCLUSIVE")
        game.check_fault()


@contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """Let the server make no file longer than its journal is, as if no room were left."""
    assert server.process
    pid = server.process.pid
    usual = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    length = Path(f"{file_of(server)}-wal").stat().st_size
    assert 2 * server.log.stat().st_size < length, "the log could not be written, either"
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (length, usual[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, usual)


def test_a_disk_that_is_full(play: Play, on_sqlite: Server) -> None:
    game = play(on_sqlite)
    with fault(game), full_disk(on_sqlite):
        game.check_fault()


def test_health_check_reports_a_full_disk(play: Play, on_sqlite: Server) -> None:
    game = play(on_sqlite)
    with full_disk(on_sqlite):
        wait_until(lambda: not game.is_well(), on_sqlite.log_text)
    wait_until(game.is_well, on_sqlite.log_text)


def test_second_server_on_the_same_file_is_refused(on_sqlite: Server) -> None:
    other = Server(on_sqlite.folder, *OPTIONS, database=on_sqlite.database)
    other.launch()
    assert other.process
    assert other.process.wait(TIMEOUT_SECONDS) != 0
    assert other.log_text().startswith("Error: The database cannot be used: Another server uses ")
    other.process = None
    on_sqlite.kill()
    with running(other):
        assert httpx.get(f"{other.url}/healthz", timeout=TIMEOUT_SECONDS).is_success
    on_sqlite.start()


def file_of(server: Server) -> str:
    return server.database.removeprefix("sqlite:///")


# PostgreSQL -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def proxy(postgresql: PostgreSQL) -> Iterator[Proxy]:
    with Proxy(postgresql.port) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def database(postgresql: PostgreSQL) -> str:
    return postgresql.database()


@pytest.fixture(scope="module")
def on_postgresql(
    tmp_path_factory: pytest.TempPathFactory, postgresql: PostgreSQL, database: str, proxy: Proxy
) -> Iterator[Server]:
    """A server that reaches its database through a proxy."""
    proxy_url = database.replace(str(postgresql.port), str(proxy.port))
    with running(Server(tmp_path_factory.mktemp("pg"), *OPTIONS, database=proxy_url)) as server:
        yield server


def test_silent_database_connection(play: Play, on_postgresql: Server, proxy: Proxy) -> None:
    game, other = play(on_postgresql), play(on_postgresql)
    with fault(game):
        proxy.freeze()
        game.check_fault()
        assert other.http.post("/api/games", json={"book": "island-conquest"}).status_code == 503
        assert other.http.get(f"/api/games/{NOWHERE}").status_code == 503
        proxy.thaw()
    other.goes_on()


def test_lost_database_connection_is_replaced(
    play: Play, on_postgresql: Server, proxy: Proxy
) -> None:
    game = play(on_postgresql)
    game.goes_on()
    proxy.cut()
    game.goes_on()


async def test_locked_postgresql_table(play: Play, on_postgresql: Server, database: str) -> None:
    game = play(on_postgresql)
    with fault(game):
        other = await asyncpg.connect(database)
        try:
            async with other.transaction():
                await other.execute("LOCK TABLE games, events, heartbeat")
                game.check_fault()
        finally:
            await other.close()


async def test_hanging_postgresql_processes(
    play: Play, on_postgresql: Server, database: str
) -> None:
    game = play(on_postgresql)
    other = await asyncpg.connect(database)
    try:
        rows = await other.fetch(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()"
        )
        for row in rows:
            os.kill(row["pid"], signal.SIGSTOP)
        try:
            assert game.move().status_code == 503
            game.goes_on()  # by other processes
        finally:
            for row in rows:
                os.kill(row["pid"], signal.SIGCONT)
    finally:
        await other.close()
    game.check_cure()


@pytest.fixture(params=["sqlite", "postgresql"])
def hang(
    request: pytest.FixtureRequest, on_sqlite: Server, on_postgresql: Server, proxy: Proxy
) -> Iterator[tuple[Server, Callable[[], object]]]:
    """A server, and what makes its database hang."""
    if request.param == "postgresql":
        yield on_postgresql, proxy.freeze
        proxy.thaw()
        return
    with closing(sqlite3.connect(file_of(on_sqlite))) as other:
        yield on_sqlite, lambda: other.execute("BEGIN EXCLUSIVE")


async def test_server_stops_while_the_database_hangs(
    play: Play, hang: tuple[Server, Callable[[], object]]
) -> None:
    server, stall = hang
    game = play(server)
    async with live(server, game.id, game.secret) as client:
        await client.play(client.legal[0])
        stall()
        await client.send(type="play", move=client.legal[0], answers=client.turn)
        server.stop()
    messages = [json.loads(line)["said"] for line in server.log_text().splitlines()]
    assert "stopped" in messages


# Redis ------------------------------------------------------------------------------------------


async def test_hanging_redis(play: Play, tmp_path: Path, redis: Redis) -> None:
    with (
        Proxy(redis.port) as proxy,
        running(
            Server(tmp_path, *UNLIMITED, "--redis", f"redis://127.0.0.1:{proxy.port}")
        ) as server,
    ):
        game = play(server)
        assert game.move().is_success
        proxy.freeze()
        for _ in range(3):
            assert game.move().is_success
        assert game.is_well()
        wait_until(lambda: "redis cannot be reached" in server.log_text(), server.log_text)
        server.stop()
        assert '"stopped"' in server.log_text()
