"""A server that is killed at any moment has kept every move that it acknowledged."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from game_sessions import GameSessions, check_stored_games
from online import UNLIMITED
from servers import PostgreSQL, Server, running

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

TABLES, KILLS = 200, 20
WITH_TWO = 20  # of the tables; at the others one connection plays both seats


async def kill_again_and_again(server: Server, tables: GameSessions) -> None:
    """Kill a server after a few moves or after many, and start it at once."""
    chance = random.Random(7)
    for _ in range(KILLS):
        await tables.moves(chance.choice([1, 20, 150]) * chance.randint(1, 4))
        async with tables.without(server):
            server.kill()
            server.launch()
    tables.finish()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_acknowledged_moves_survive_a_killed_server(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    database = ""
    if kind == "postgresql":
        cluster: PostgreSQL = request.getfixturevalue("postgresql")
        database = cluster.database()
    with running(Server(tmp_path, *UNLIMITED, database=database)) as server:
        tables = GameSessions([server], TABLES, seed=7, with_two=WITH_TWO)
        await asyncio.gather(tables.play(), kill_again_and_again(server, tables))
    assert tables.trouble == []
    assert len(tables.games) >= TABLES
    assert await check_stored_games(server.database, tables.games) == []
