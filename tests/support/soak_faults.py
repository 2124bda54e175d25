"""What happens to servers during a soak: each fault begins, lasts and ends."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlalchemy.engine import make_url

from servers import PostgreSQL, Redis, Server
from soak_attacks import ATTACKS, attack
from soak_checks import Health
from tables import Tables

STOPS = 15.0
"""Seconds in which a server must have ended after SIGTERM."""


@dataclass(frozen=True)
class Lengths:
    """How long things last, in seconds: each is a range to choose from."""

    attack: tuple[float, float]
    away: tuple[float, float]
    """For which a server, a database or Redis is stopped."""
    frozen: tuple[float, float]
    """For which a database hangs: longer than health may take to turn red."""
    pause: tuple[float, float]
    """Between two faults."""
    pace: float
    """From one move of a table to the next, on average."""
    warm: float
    """After which a server process is warm."""
    cool: float
    """At the end, without a fault, in which a server forgets what it does not need."""


@dataclass(frozen=True)
class Servers:
    """Servers that share a database, and what they need."""

    servers: list[Server]
    postgresql: PostgreSQL | None = None
    redis: Redis | None = None


class Stage:
    """All that takes part in a soak."""

    def __init__(self, of: Servers, tables: int, chance: random.Random, lengths: Lengths) -> None:
        self.servers, self.postgresql, self.redis = of.servers, of.postgresql, of.redis
        self.random, self.lengths = chance, lengths
        self.health = Health(of.servers)
        self.tables = Tables(
            *(of.servers, tables, chance.randrange(1_000_000)),
            with_two=tables // 4,
            pace=lengths.pace,
            addresses=address,
        )
        self.trouble: list[str] = []

    @property
    def victim(self) -> Server:
        """The server that is killed: of several, another one lives through all of it."""
        return self.servers[-1]

    async def lasts(self, length: tuple[float, float]) -> None:
        """Let some time pass."""
        await asyncio.sleep(self.random.uniform(*length))


def address(table: int, moved: int) -> str:
    """Return where a table sits: each has an address of its own, as players at home have."""
    return f"127.{1 + moved % 200}.{table // 250}.{table % 250 + 1}"


async def kill(stage: Stage) -> None:
    """Kill a server, and start it again."""
    await _restart(stage, stage.victim.kill)


async def stop(stage: Stage) -> None:
    """Stop a server as one should, and start it again."""
    began = time.monotonic()
    ended: list[tuple[int, float]] = []
    await _restart(stage, lambda: ended.append((stage.victim.stop(), time.monotonic() - began)))
    ((status, took),) = ended
    if status not in {0, -signal.SIGTERM} or took > STOPS:
        stage.trouble.append(f"SIGTERM: the server ended after {took:.1f} s with status {status}")


async def _restart(stage: Stage, end: Callable[[], None]) -> None:
    async with stage.tables.without(stage.victim):
        with stage.health.wrong("a restart", stage.victim):
            await asyncio.to_thread(end)
            await stage.lasts(stage.lengths.away)
        await asyncio.to_thread(stage.victim.start)


async def disconnect(stage: Stage) -> None:
    """Cut half of the players' connections."""
    connections = list(stage.tables.connections)
    for connection in stage.random.sample(connections, len(connections) // 2):
        connection.socket.transport.abort()


async def freeze_database(stage: Stage) -> None:
    """Let the database stand still, with all connections to it open."""
    assert stage.postgresql
    with stage.health.wrong("a frozen database", *stage.servers), stage.postgresql.frozen():
        await stage.lasts(stage.lengths.frozen)


async def restart_database(stage: Stage) -> None:
    """Stop the database, or crash it, and start it again."""
    assert stage.postgresql
    with stage.health.wrong("a restart of the database", *stage.servers):
        how = stage.random.choice([signal.SIGINT, signal.SIGQUIT])
        await asyncio.to_thread(stage.postgresql.end, how)
        await stage.lasts(stage.lengths.away)
    await asyncio.to_thread(stage.postgresql.start)


async def lock_database(stage: Stage) -> None:
    """Hold the lock of an SQLite file, so that nobody else can write."""
    file = make_url(stage.victim.database).database
    with stage.health.wrong("a locked database", *stage.servers):
        connection = sqlite3.connect(str(file), isolation_level=None, check_same_thread=False)
        try:
            await asyncio.to_thread(connection.execute, "BEGIN IMMEDIATE")
            await stage.lasts(stage.lengths.frozen)
        finally:
            connection.close()


async def stop_redis(stage: Stage) -> None:
    """Stop Redis, and start it again: nothing is wrong, servers ask the database meanwhile."""
    assert stage.redis
    await asyncio.to_thread(stage.redis.stop)
    await stage.lasts(stage.lengths.away)
    await asyncio.to_thread(stage.redis.start)


async def freeze_redis(stage: Stage) -> None:
    """Let Redis stand still, with all connections to it open."""
    assert stage.redis
    with stage.redis.frozen():
        await stage.lasts(stage.lengths.away)


def attack_by(name: str) -> Callable[[Stage], Awaitable[None]]:
    """Return what lets someone attack one of the servers."""

    async def attacked(stage: Stage) -> None:
        port = stage.random.choice(stage.servers).port
        game = stage.random.choice(stage.tables.games[-stage.tables.count :]).id
        seconds = stage.random.uniform(*stage.lengths.attack)
        await asyncio.to_thread(attack, name, port, game, seconds)

    return attacked


Fault = Callable[[Stage], Awaitable[None]]
BOTH: dict[str, Fault] = {one.__name__: one for one in (kill, stop, disconnect)} | {
    f"attack by {name}": attack_by(name) for name in ATTACKS
}
SQLITE: dict[str, Fault] = BOTH | {"lock_database": lock_database}
CLUSTER: dict[str, Fault] = BOTH | {
    one.__name__: one for one in (freeze_database, restart_database, stop_redis, freeze_redis)
}
