"""The store: the database holds every event before a client receives it."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Select, delete, func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from duelbook.catalog.registry import find
from duelbook.errors import UnknownGame
from duelbook.system.json_logs import log
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.store.clock import Decide, Period, monotonic, wall_clock
from duelbook.web.store.database import Database, StoreError, cause
from duelbook.web.store.database_tables import events, games, uptime
from duelbook.web.store.game_events import GameEvent, GameTerms
from duelbook.web.store.postgresql_writer import PostgresqlWriter
from duelbook.web.store.sqlite_lock import SqliteLock
from duelbook.web.store.sqlite_writer import SqliteWriter
from duelbook.web.store.writer import EventRow, Writer

__all__ = ["QUERY_TIMEOUT_SECONDS", "Store", "StoreError"]

QUERY_TIMEOUT_SECONDS = 5.0
"""The timeout of a database query, in seconds."""
LATE_SECONDS = 2.0
"""A healthy database stores a change and answers a query within this time."""
TRIAL_CACHE_SECONDS = 1.0
"""The time for which the result of a trial is reused."""
POSTGRESQL_TIME = "SELECT extract(epoch FROM clock_timestamp())"
SQLITE_USED = """(SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count)
* (SELECT page_size FROM pragma_page_size)"""
POSTGRESQL_USED = "pg_database_size(current_database())"
LOCK_UPTIME = "SELECT pg_advisory_xact_lock(7301835)"
MAX_UPTIME_AGE_MS = 365 * 86_400_000
"""The age in milliseconds after which uptime periods are deleted."""
MAX_IDS_PER_QUERY = 500
"""The maximum number of ids in one statement."""
MAX_GAMES_PER_DELETION = 1_000
"""The maximum number of games in one deletion, and roughly the maximum number of events."""
T = TypeVar("T")


class Size(NamedTuple):
    """The number of games in a database, its size and the free disk space, in bytes."""

    games: int
    used: int
    free: float = inf
    """Infinite if the disk belongs to another machine."""


class Store:
    """Games and their events in a database."""

    def __init__(
        self, url: str, timeout: float = QUERY_TIMEOUT_SECONDS, metrics: Metrics | None = None
    ) -> None:
        self._metrics = metrics or Metrics()
        self._database = Database(url, timeout)
        self._writer = Writer(
            SqliteWriter(self._database.file, timeout)
            if self._database.is_sqlite
            else PostgresqlWriter(self._database.engine),
            timeout,
            self._is_stored,
            self._metrics.count_commit,
            lambda error, jobs: self._failed("writing", error, jobs=jobs),
        )
        self._lock = SqliteLock(self._database.file) if self._database.is_sqlite else None
        self._late = min(LATE_SECONDS, timeout)
        self._trial: asyncio.Task[None] | None = None
        self._tried = 0.0
        self._has_failed = False  # since the last trial

    @property
    def file(self) -> str | None:
        """The file of an SQLite database."""
        return self._database.file if self._database.is_sqlite else None

    async def open(self) -> None:
        """Migrate the tables, and start the writer."""
        if self._lock:
            self._lock.take()
        await self._database.migrate()
        self._loop = asyncio.get_running_loop()
        self._writer.open()

    async def close(self) -> None:
        """Write the waiting changes, and disconnect."""
        await self._writer.close()
        await self._database.close()
        if self._lock:
            self._lock.release()

    # Health -----------------------------------------------------------------------------------

    async def check(self, now: int) -> None:
        """Raise StoreError unless the database can be written and read; reuse a recent trial."""
        if self._writer.oldest_age() > self._late:
            raise StoreError(
                f"A change has waited {self._writer.oldest_age():.0f} s for the database."
            )
        if self._trial is None or (self._trial.done() and self._is_outdated()):
            self._trial = self._loop.create_task(self._try(now))
            self._trial.add_done_callback(lambda trial: trial.cancelled() or trial.exception())
        done, _ = await asyncio.wait({self._trial}, timeout=self._late)
        if not done:
            raise StoreError(f"The database has not answered for {self._late:g} s.")
        self._trial.result()

    def _is_outdated(self) -> bool:
        """Return whether the last trial is too old, or a query has failed since."""
        return self._loop.time() > self._tried + TRIAL_CACHE_SECONDS or self._has_failed

    async def _try(self, now: int) -> None:
        try:
            await self._writer.put([], heartbeat=now)
            await self._ask(lambda connection: connection.execute(select(1)))
        finally:
            self._tried, self._has_failed = self._loop.time(), False

    async def _ask(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        try:
            return await self._database.ask(work)
        except StoreError as error:
            self._failed("reading", error)
            raise

    def _failed(self, what: str, error: StoreError, **facts: object) -> None:
        self._has_failed = True
        self._metrics.store_failures.labels(what).inc()
        log(f"{what} failed", logging.ERROR, why=str(error), cause=cause(error), **facts)

    # Reading ----------------------------------------------------------------------------------

    async def terms(self, id: str) -> GameTerms | None:  # noqa: A002 # the word on the wire
        """Return the terms of a game, or None if there is no such game."""
        query = select(games).where(games.c.id == id)
        rows = await self._rows(query)
        if not rows:
            return None
        (row,) = rows
        try:
            game = find(row.book)
        except UnknownGame as error:
            raise StoreError(f"This server does not know the game {row.book} any more.") from error
        data = json.loads(row.terms)
        clock = data["clock"] and (data["clock"][0], data["clock"][1])
        players = data["players"][0], data["players"][1]
        return GameTerms(
            *(id, game, data["first"], players, data["seed"], clock, row.created),
            draws=data.get("draws", ""),
            saved_moves=data.get("brought", 0),
        )

    async def events(self, id: str, after: int = 0, limit: int | None = None) -> list[GameEvent]:  # noqa: A002 # see above
        """Return the events of a game from a sequence number on, at most `limit`."""
        query = select(events).where(events.c.game == id, events.c.seq >= after)
        rows = await self._rows(query.order_by(events.c.seq).limit(limit))
        return [GameEvent(row.kind, row.seat, row.text, row.at) for row in rows]

    async def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the number of events of each of these games."""
        lengths: dict[str, int] = {}
        for begin in range(0, len(ids), MAX_IDS_PER_QUERY):
            some = ids[begin : begin + MAX_IDS_PER_QUERY]
            query = select(events.c.game, func.max(events.c.seq)).where(events.c.game.in_(some))
            rows = await self._rows(query.group_by(events.c.game))
            lengths |= {row[0]: row[1] + 1 for row in rows}
        return lengths

    async def _rows(self, query: Select[*tuple[Any, ...]]) -> list[Any]:
        return list(await self._ask(lambda connection: connection.execute(query)))

    async def _is_stored(self, row: EventRow) -> bool:
        query = select(events).where(events.c.game == row[0], events.c.seq == row[1])
        rows = await self._database.ask(lambda connection: connection.execute(query))
        return row in map(tuple, rows)

    async def size(self) -> Size:
        """Return the number of games and the use of the disk."""
        (row,) = await self._rows(select(func.count()).select_from(games))
        used = SQLITE_USED if self._database.is_sqlite else POSTGRESQL_USED
        (size,) = await self._rows(select(text(used)))
        if self._database.is_sqlite:
            folder = Path(self._database.file).parent
            return Size(row[0], size[0], shutil.disk_usage(folder).free)
        return Size(row[0], size[0])

    # Writing ----------------------------------------------------------------------------------

    async def create(self, terms: GameTerms, first_events: Sequence[GameEvent]) -> None:
        """Store a new game and its first events."""
        data = {
            "first": terms.first,
            "players": terms.players,
            "seed": terms.seed,
            "clock": terms.clock,
        }
        if terms.draws:
            data["draws"] = terms.draws
        if terms.saved_moves:
            data["brought"] = terms.saved_moves
        game = terms.id, terms.game.slug, json.dumps(data), terms.created
        await self._writer.put(
            [_row(terms.id, seq, event) for seq, event in enumerate(first_events)], game
        )

    def append(self, id: str, seq: int, event: GameEvent) -> asyncio.Future[bool]:  # noqa: A002 # see above
        """Store an event, and return the future of its commit.

        It is True once the event is on disk, or False if its number is already in use.
        """
        return self._writer.put([_row(id, seq, event)])

    async def delete_inactive_games(self, before: int) -> list[str]:
        """Delete some games without an event since a time; return their ids.

        The number is limited, because the deletion blocks other writes.
        """
        last = select(events.c.seq, events.c.at).where(events.c.game == games.c.id)
        last = last.order_by(events.c.seq.desc()).limit(1)
        touched = func.coalesce(last.with_only_columns(events.c.at).scalar_subquery(), 0)
        is_old = (games.c.created < before) & (touched < before)
        length = func.coalesce(last.with_only_columns(events.c.seq).scalar_subquery(), 0)
        old_games = (
            select(games.c.id, length)
            .where(is_old)
            .order_by(games.c.created)
            .limit(MAX_GAMES_PER_DELETION)
        )

        async def work(connection: AsyncConnection) -> list[str]:  # the events are deleted too
            rows, sizes = [], 0
            for id_, size in (await connection.execute(old_games)).all():
                rows.append(id_)
                sizes += size
                if sizes > MAX_GAMES_PER_DELETION:
                    break
            some = delete(games).where(games.c.id.in_(rows), is_old).returning(games.c.id)
            return list((await connection.execute(some)).scalars()) if rows else []

        return await self._ask(work)

    async def note_uptime(self, decide: Decide) -> list[Period]:
        """Store the uptime period that `decide` computes from the last one; return all periods."""
        newest = uptime.c.began == select(func.max(uptime.c.began)).scalar_subquery()
        # Only one server at a time: another one could delete a row in the meantime.
        touch = update(uptime).where(newest).values(until=uptime.c.until)
        lock = touch if self._database.is_sqlite else text(LOCK_UPTIME)

        async def work(connection: AsyncConnection) -> list[Period]:
            await connection.execute(lock)
            last = Period(*(await connection.execute(select(uptime).where(newest))).one())
            started = monotonic()
            time = await self._time(connection)
            period = decide(last, time, monotonic() - started)
            if period.began == last.began:
                await connection.execute(update(uptime).where(newest).values(period._asdict()))
            else:
                await connection.execute(insert(uptime), [period._asdict()])
                old = period.began - MAX_UPTIME_AGE_MS
                await connection.execute(delete(uptime).where(uptime.c.until < old))
            rows = await connection.execute(select(uptime).order_by(uptime.c.began))
            return [Period(*row) for row in rows]

        return await self._ask(work)

    async def _time(self, connection: AsyncConnection) -> int:
        """Return the database clock in milliseconds; for SQLite, the clock of this machine."""
        if self._database.is_sqlite:
            return wall_clock()
        seconds = (await connection.execute(text(POSTGRESQL_TIME))).scalar_one()
        return round(float(seconds) * 1000)


def _row(id: str, seq: int, event: GameEvent) -> EventRow:  # noqa: A002 # see above
    return id, seq, event.at, event.kind, event.seat, event.text
