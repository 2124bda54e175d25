"""The store: what is deleted, and what does not have to wait for it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from duelbook.web.store.clock import Clock, monotonic
from duelbook.web.store.game_events import GameEvent
from duelbook.web.store.store import MAX_GAMES_PER_DELETION, Store, StoreError
from duelbook.web.store.uptime import Uptime
from servers import PostgreSQL

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

OLD, NOW = 1_000, 1_000_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    store = Store(f"sqlite:///{file}")
    await store.open()
    yield store
    await store.close()


def fill(file: Path, games: int, moves: int, last: int = OLD) -> None:
    """Write old games, whose last moves are of another time."""
    with closing(sqlite3.connect(file)) as database, database:
        ids = [f"{last}-{number}" for number in range(games)]
        rows = [(id_, "tower-defense-duel", "{}", OLD) for id_ in ids]
        database.executemany("INSERT INTO games VALUES (?,?,?,?)", rows)
        database.executemany(
            "INSERT INTO events VALUES (?,?,?,'move',0,'build 1')",
            ((id_, seq, last if seq == moves - 1 else OLD) for id_ in ids for seq in range(moves)),
        )


async def test_only_inactive_games_are_deleted(store: Store, file: Path) -> None:
    fill(file, games=3, moves=5)
    fill(file, games=2, moves=5, last=NOW)
    assert len(await store.delete_inactive_games(NOW)) == 3
    assert await store.delete_inactive_games(NOW) == []
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT count(*) FROM events").fetchone() == (2 * 5,)


async def test_a_move_waits_for_one_small_deletion_at_most(store: Store, file: Path) -> None:
    fill(file, games=1_000, moves=60)
    fill(file, games=1, moves=1, last=NOW)
    deletions: list[int] = []
    while not deletions or deletions[-1]:
        deletion = asyncio.create_task(store.delete_inactive_games(NOW))
        move = GameEvent("move", 0, "build 1", NOW)
        assert await store.append(f"{NOW}-0", len(deletions) + 1, move)
        deletions.append(len(await deletion))
    assert sum(deletions) == 1_000
    assert max(deletions) * 60 <= MAX_GAMES_PER_DELETION + 60


async def test_only_one_store_opens_a_file(store: Store, file: Path) -> None:
    other = Store(f"sqlite:///{file}")
    with pytest.raises(StoreError, match="Another server uses"):
        await other.open()
    await store.close()
    await other.open()
    await other.close()


async def test_servers_that_start_together_share_one_uptime_period(
    postgresql: PostgreSQL,
) -> None:
    database = postgresql.database()
    stores = [Store(database) for _ in range(6)]
    await stores[0].open()  # which migrates
    for store in stores[1:]:
        await store.open()
    clocks = [Clock(monotonic) for _ in stores]
    uptimes = [Uptime(*pair, shared=True) for pair in zip(stores, clocks, strict=True)]
    try:
        await asyncio.gather(*(uptime.begin() for uptime in uptimes))
        assert len({uptime.began for uptime in uptimes}) == 1
    finally:
        for store in stores:
            await store.close()
