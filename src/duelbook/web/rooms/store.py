"""The store: a database that has every event before anyone is told of it.

Events that arrive during a commit are committed together by the next one. So many games cost
few commits, and no event is acknowledged before its own commit.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, delete, event, exists, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from duelbook.catalog.registry import find
from duelbook.errors import DuelbookError, UnknownGame
from duelbook.web.rooms.room import Event, Terms
from duelbook.web.rooms.store_tables import events, games

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg"}

AS_TEXT = sqlite.dialect(paramstyle="named")
INSERT_GAME, INSERT_EVENT = (str(insert(t).compile(dialect=AS_TEXT)) for t in (games, events))


class StoreError(DuelbookError):
    """The database could not be reached, or refused a statement."""


Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Job:
    """Rows that wait for a commit, and the future that reports it."""

    events: Rows
    games: Rows
    done: asyncio.Future[bool]

    def answer(self, kept: bool) -> None:
        """Report the result, unless nobody waits any more."""
        if not self.done.done():
            self.done.set_result(kept)


class Store:
    """Games and their events in a database."""

    def __init__(self, url: str, committed: Callable[[int, float], None] | None = None) -> None:
        """Prepare for a database; `committed` is told the events and seconds of each commit."""
        self.engine = _engine(url)
        dialect = sqlite if self.is_sqlite else postgresql
        self._insert_unless_taken = dialect.insert(events).on_conflict_do_nothing()
        self._sqlite = _SqliteWriter(str(self.engine.url.database)) if self.is_sqlite else None
        self._waiting: list[_Job] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._committed = committed or (lambda _, __: None)

    @property
    def is_sqlite(self) -> bool:
        """Whether only one process may use this database."""
        return self.engine.dialect.name == "sqlite"

    async def open(self) -> None:
        """Migrate the tables, and start the writer."""
        async with self._connected() as connection:
            await connection.run_sync(_migrate)
        self._loop = asyncio.get_running_loop()  # asking for it again costs a system call
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Write what waits, and disconnect."""
        if self._writer:
            writer, self._writer = self._writer, None
            self._wake.set()
            await writer
        if self._sqlite:
            self._sqlite.close()
        await self.engine.dispose()

    # Reading ----------------------------------------------------------------------------------

    async def ping(self) -> None:
        """Raise StoreError unless the database answers."""
        async with self._connected() as connection:
            await connection.execute(select(1))

    async def terms(self, id: str) -> Terms | None:  # noqa: A002 # what everyone calls it
        """Return the terms of a game, or None if there is no such game."""
        async with self._connected() as connection:
            row = (await connection.execute(select(games).where(games.c.id == id))).first()
        if row is None:
            return None
        try:
            game = find(row.book)
        except UnknownGame as error:
            raise StoreError(f"This server does not know the game {row.book} any more.") from error
        data = json.loads(row.terms)
        clock = data["clock"] and (data["clock"][0], data["clock"][1])
        players = data["players"][0], data["players"][1]
        return Terms(
            *(id, game, data["first"], players, data["seed"], clock, row.created),
            draws=data.get("draws", ""),
            brought=data.get("brought", 0),
        )

    async def events(self, id: str, after: int = 0) -> list[Event]:  # noqa: A002 # see above
        """Return the events of a game from a sequence number on."""
        wanted = select(events).where(events.c.game == id, events.c.seq >= after)
        async with self._connected() as connection:
            rows = (await connection.execute(wanted.order_by(events.c.seq))).all()
        return [Event(row.kind, row.seat, row.text, row.at) for row in rows]

    async def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the number of events of each of these games."""
        latest = select(events.c.game, func.max(events.c.seq)).where(events.c.game.in_(ids))
        async with self._connected() as connection:
            rows = (await connection.execute(latest.group_by(events.c.game))).all()
        return {row[0]: row[1] + 1 for row in rows}

    # Writing ----------------------------------------------------------------------------------

    async def create(self, terms: Terms, happened: Sequence[Event]) -> None:
        """Store a new game and its first events."""
        data = {
            "first": terms.first,
            "players": terms.players,
            "seed": terms.seed,
            "clock": terms.clock,
        }
        if terms.draws:
            data |= {"draws": terms.draws, "brought": terms.brought}
        row = {
            "id": terms.id,
            "book": terms.game.slug,
            "terms": json.dumps(data),
            "created": terms.created,
        }
        rows = [_row(terms.id, seq, one) for seq, one in enumerate(happened)]
        await self._keep(rows, [row])

    async def append(self, id: str, seq: int, happened: Event) -> bool:  # noqa: A002 # see above
        """Store an event: True once it is on disk, False if its number is taken."""
        return await self._keep([_row(id, seq, happened)])

    async def _keep(self, event_rows: Rows, game_rows: Rows | None = None) -> bool:
        done: asyncio.Future[bool] = self._loop.create_future()
        self._waiting.append(_Job(event_rows, game_rows or [], done))
        self._wake.set()
        return await done

    async def _write(self) -> None:
        while self._writer or self._waiting:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            if not batch:
                continue
            begun = self._loop.time()
            try:
                await self._commit(batch)
            except StoreError:  # perhaps the number of one is taken: find out which
                for job in batch:
                    await self._commit_alone(job)
            else:
                self._committed(len(batch), self._loop.time() - begun)

    async def _commit(self, batch: list[_Job]) -> None:
        """Commit all rows or none."""
        game_rows = [row for job in batch for row in job.games]
        event_rows = [row for job in batch for row in job.events]
        if self._sqlite:
            await self._sqlite.write(game_rows, event_rows)
        else:
            async with self._connected() as connection:
                await connection.run_sync(_insert, game_rows, event_rows)
        for job in batch:
            job.answer(kept=True)

    async def _commit_alone(self, job: _Job) -> None:
        """Commit one job; an event whose number is taken is not stored."""
        try:
            if job.games:
                await self._commit([job])
                return
            async with self._connected() as connection:
                await connection.execute(self._insert_unless_taken, job.events)
                row = job.events[0]
                place = (events.c.game == row["game"]) & (events.c.seq == row["seq"])
                found = (await connection.execute(select(events).where(place))).mappings().one()
            job.answer(kept=dict(found) == row)
        except StoreError as error:
            if not job.done.done():
                job.done.set_exception(error)

    async def sweep(self, before: int) -> list[str]:
        """Delete the games without an event since a time; return their ids."""
        touched = exists().where(events.c.game == games.c.id, events.c.at >= before)
        old = delete(games).where(games.c.created < before, ~touched).returning(games.c.id)
        async with self._connected() as connection:  # their events go with them
            return list((await connection.execute(old)).scalars())

    def _connected(self) -> _Connected:
        return _Connected(self.engine)


class _Connected:
    """A transaction that turns database errors into StoreError."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._begin = engine.begin()

    async def __aenter__(self) -> AsyncConnection:
        try:
            return await self._begin.__aenter__()
        except (SQLAlchemyError, OSError) as error:
            raise StoreError("The database cannot be reached: try again.") from error

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:  # noqa: ANN401 # as Python calls it
        try:
            await self._begin.__aexit__(kind, error, trace)
        except (SQLAlchemyError, OSError) as failure:
            raise StoreError("The database could not save this: try again.") from failure
        if isinstance(error, (SQLAlchemyError, OSError)):
            raise StoreError("The database could not save this: try again.") from error


class _SqliteWriter:
    """Writes to SQLite in one thread: a commit costs one thread switch, not one for each call."""

    def __init__(self, file: str) -> None:
        self._thread = ThreadPoolExecutor(1, "sqlite-writer")
        self._file = file
        self._connection: sqlite3.Connection | None = None

    async def write(self, game_rows: Rows, event_rows: Rows) -> None:
        """Commit all rows or none."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._write, game_rows, event_rows)
        except (sqlite3.Error, OSError) as error:
            raise StoreError("The database could not save this: try again.") from error

    def _write(self, game_rows: Rows, event_rows: Rows) -> None:
        if self._connection is None:
            self._connection = sqlite3.connect(self._file)
            _prepare_sqlite(self._connection, None)
        with self._connection as transaction:
            if game_rows:
                transaction.executemany(INSERT_GAME, game_rows)
            transaction.executemany(INSERT_EVENT, event_rows)

    def close(self) -> None:
        """Disconnect."""
        if self._connection:
            self._thread.submit(self._connection.close)
        self._thread.shutdown()


def _insert(connection: Connection, game_rows: Rows, event_rows: Rows) -> None:
    if game_rows:
        connection.execute(insert(games), game_rows)
    if event_rows:
        connection.execute(insert(events), event_rows)


def _engine(url: str) -> AsyncEngine:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise DuelbookError("This is not a database URL, such as sqlite:///games.db.") from error
    kind = parsed.drivername.partition("+")[0].replace("postgresql", "postgres")
    if kind not in DRIVERS:
        raise DuelbookError(f"Games are kept in SQLite or PostgreSQL, not in {kind!r:.40}.")
    if kind == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise DuelbookError("Games are kept in a file: sqlite:///games.db is one.")
    engine = create_async_engine(parsed.set(drivername=DRIVERS[kind]))
    if kind == "sqlite":
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:  # noqa: ANN401 # a driver's connection
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",  # a commit is on disk when it returns
        "foreign_keys=ON",
        "busy_timeout=10000",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # one worker at a time
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7301834)")
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _row(id: str, seq: int, happened: Event) -> dict[str, Any]:  # noqa: A002 # see above
    return {
        "game": id,
        "seq": seq,
        "at": happened.at,
        "kind": happened.kind,
        "seat": happened.seat,
        "text": happened.text,
    }
