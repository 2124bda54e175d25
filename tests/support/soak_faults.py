"""The faults of a soak: each function starts a fault, waits, and ends it."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlalchemy.engine import make_url

from game_sessions import GameSessions
from servers import PostgreSQL, Redis, Server
from soak_attacks import ATTACKS, attack
from soak_checks import Health

MAX_STOP_SECONDS = 15.0
"""The maximum time until a server ends after SIGTERM."""


@dataclass(frozen=True)
class Lengths:
    """The durations in a soak, in seconds; a pair is a range of random durations."""

    attack: tuple[float, float]
    away: tuple[float, float]
    """The time for which a server, a database or Redis is stopped."""
    frozen: tuple[float, float]
    """The time for which a database hangs: long enough for health to turn red."""
    pause: tuple[float, float]
    """The time between two faults."""
    pace: float
    """The average time between two moves of a table."""
    warm: float
    """The time of the warm-up of a server process."""
    cool: float
    """The time without faults at the end, in which a server frees its resources."""


@dataclass(frozen=True)
class Servers:
    """Servers that share a database, with their PostgreSQL and Redis."""

    servers: list[Server]
    postgresql: PostgreSQL | None = None
    redis: Redis | None = None


class Stage:
    """The participants of a soak: servers, tables and checks."""

    def __init__(self, of: Servers, tables: int, chance: random.Random, lengths: Lengths) -> None:
        self.servers, self.postgresql, self.redis = of.servers, of.postgresql, of.redis
        self.random, self.lengths = chance, lengths
        self.health = Health(of.servers)
        self.tables = GameSessions(
            *(of.servers, tables, chance.randrange(1_000_000)),
            with_two=tables // 4,
            pace=lengths.pace,
            addresses=address,
        )
        self.trouble: list[str] = []

    @property
    def victim(self) -> Server:
        """The server that faults kill; with several servers, the others survive the soak."""
        return self.servers[-1]

    async def wait(self, length: tuple[float, float]) -> None:
        """Wait for a random time in a range."""
        await asyncio.sleep(self.random.uniform(*length))


def address(table: int, moved: int) -> str:
    """Return the address of a table; each table has a different one, like players at home."""
    return f"127.{1 + moved % 200}.{table // 250}.{table % 250 + 1}"


async def kill(stage: Stage) -> None:
    """Kill a server, and restart it."""
    await _restart(stage, stage.victim.kill)


async def stop(stage: Stage) -> None:
    """Stop a server with SIGTERM, and restart it."""
    began = time.monotonic()
    ended: list[tuple[int, float]] = []
    await _restart(stage, lambda: ended.append((stage.victim.stop(), time.monotonic() - began)))
    ((status, took),) = ended
    if status not in {0, -signal.SIGTERM} or took > MAX_STOP_SECONDS:
        stage.trouble.append(f"SIGTERM: the server ended after {took:.1f} s with status {status}")


async def _restart(stage: Stage, end: Callable[[], None]) -> None:
    async with stage.tables.without(stage.victim):
        with stage.health.fault("a restart", stage.victim):
            await asyncio.to_thread(end)
            await stage.wait(stage.lengths.away)
        await asyncio.to_thread(stage.victim.start)


async def disconnect(stage: Stage) -> None:
    """Abort half of the players' connections."""
    connections = list(stage.tables.connections)
    for connection in stage.random.sample(connections, len(connections) // 2):
        connection.socket.transport.abort()


async def freeze_database(stage: Stage) -> None:
    """Suspend the database; its connections stay open."""
    assert stage.postgresql
    with stage.health.fault("a frozen database", *stage.servers), stage.postgresql.frozen():
        await stage.wait(stage.lengths.frozen)


async def restart_database(stage: Stage) -> None:
    """Stop the database quickly or immediately, and restart it."""
    assert stage.postgresql
    with stage.health.fault("a restart of the database", *stage.servers):
        number = stage.random.choice([signal.SIGINT, signal.SIGQUIT])
        await asyncio.to_thread(stage.postgresql.end, number)
        await stage.wait(stage.lengths.away)
    await asyncio.to_thread(stage.postgresql.start)


async def lock_database(stage: Stage) -> None:
    """Hold the write lock of an SQLite file, so that the server cannot write."""
    file = make_url(stage.victim.database).database
    with stage.health.fault("a locked database", *stage.servers):
        connection = sqlite3.connect(str(file), isolation_level=None, check_same_thread=False)
        try:
            await asyncio.to_thread(connection.execute, "BEGIN IMMEDIATE")
            await stage.wait(stage.lengths.frozen)
        finally:
            connection.close()


async def stop_redis(stage: Stage) -> None:
    """Stop Redis, and restart it; health stays green, because the servers poll the database."""
    assert stage.redis
    await asyncio.to_thread(stage.redis.stop)
    await stage.wait(stage.lengths.away)
    await asyncio.to_thread(stage.redis.start)


async def freeze_redis(stage: Stage) -> None:
    """Suspend Redis; its connections stay open."""
    assert stage.redis
    with stage.redis.frozen():
        await stage.wait(stage.lengths.away)


def attack_by(name: str) -> Callable[[Stage], Awaitable[None]]:
    """Return a fault: an attack on one of the servers."""

    async def attacked(stage: Stage) -> None:
        port = stage.random.choice(stage.servers).port
        game = stage.random.choice(stage.tables.games[-stage.tables.count :]).id
        seconds = stage.random.uniform(*stage.lengths.attack)
        await asyncio.to_thread(attack, name, port, game, seconds)

    return attacked


Fault = Callable[[Stage], Awaitable[None]]
BOTH: dict[str, Fault] = {fault.__name__: fault for fault in (kill, stop, disconnect)} | {
    f"attack by {name}": attack_by(name) for name in ATTACKS
}
SQLITE: dict[str, Fault] = BOTH | {"lock_database": lock_database}
CLUSTER: dict[str, Fault] = BOTH | {
    fault.__name__: fault for fault in (freeze_database, restart_database, stop_redis, freeze_redis)
}
