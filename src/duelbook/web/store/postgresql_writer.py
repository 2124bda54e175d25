"""Commits to PostgreSQL, over a separate connection of the writer.

A commit of events alone takes one round trip.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from duelbook.web.store.writer import CommitBatch

INSERT_GAMES = """INSERT INTO games (id, book, terms, created)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) ON CONFLICT DO NOTHING"""
INSERT_EVENTS = """INSERT INTO events (game, seq, at, kind, seat, text)
SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::smallint[], $6::text[])
ON CONFLICT DO NOTHING"""
HEARTBEAT = """INSERT INTO heartbeat (id, at) VALUES (1, $1)
ON CONFLICT (id) DO UPDATE SET at = excluded.at"""


class PostgresqlWriter:
    """A backend of the writer."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: Any = None  # asyncpg's, which has no types

    async def commit(self, batch: CommitBatch) -> int:
        """Commit all rows or none, and return the number of new events."""
        if self._connection is None:
            self._connection = await self._connect()
        if not batch.games and batch.heartbeat is None:
            return await self._insert(batch)  # a statement is a transaction
        async with self._connection.transaction():
            if batch.games:
                await self._connection.execute(INSERT_GAMES, *zip(*batch.games, strict=True))
            if batch.heartbeat is not None:
                await self._connection.execute(HEARTBEAT, batch.heartbeat)
            return await self._insert(batch) if batch.events else 0

    async def _insert(self, batch: CommitBatch) -> int:
        columns = zip(*batch.events, strict=True)
        status = await self._connection.execute(INSERT_EVENTS, *columns)
        return int(status.rpartition(" ")[2])  # INSERT 0 and the number of rows

    async def _connect(self) -> Any:  # noqa: ANN401 # see above
        """Return a new connection of the driver, with all options of the URL."""
        pooled = await self._engine.raw_connection()
        connection = pooled.driver_connection
        pooled.detach()  # only the writer uses it
        return connection

    def drop(self) -> None:
        """Drop the connection immediately, without waiting for its work."""
        connection, self._connection = self._connection, None
        if connection:
            connection.terminate()

    async def close(self) -> None:
        """Disconnect."""
        self.drop()
