"""Commit to SQLite in a thread: each commit is one round trip to the thread."""

from __future__ import annotations

import asyncio
import sqlite3
from functools import cache
from queue import SimpleQueue
from threading import Thread

from duelbook.web.store.database import StoreError, prepare_sqlite
from duelbook.web.store.writer import CommitBatch, EventRow

MAX_ROWS_PER_INSERT = 100
"""The maximum number of rows in a statement: old versions of SQLite take at most 999 values."""
INSERT_GAME = "INSERT INTO games VALUES (?,?,?,?) ON CONFLICT DO NOTHING"
HEARTBEAT = "INSERT INTO heartbeat VALUES (1,?) ON CONFLICT (id) DO UPDATE SET at = excluded.at"


@cache
def insert_events(rows: int) -> str:
    """Return the statement that inserts events, except those whose numbers are taken."""
    values = ",".join(["(?,?,?,?,?,?)"] * rows)
    return f"INSERT INTO events VALUES {values} ON CONFLICT DO NOTHING"  # noqa: S608 # no value in it


class SqliteWriter:
    """A backend of the writer."""

    def __init__(self, file: str, timeout: float) -> None:
        self._file, self._timeout = file, timeout
        self._queue: SimpleQueue[tuple[CommitBatch, asyncio.Future[int]] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._busy = False
        self._connection: sqlite3.Connection | None = None  # only the thread uses it

    def commit(self, batch: CommitBatch) -> asyncio.Future[int]:
        """Commit all rows or none, and return the number of new events."""
        if self._busy:  # with a commit that timed out
            raise StoreError("The disk does not answer: try again.")
        if self._thread is None:
            self._loop = asyncio.get_running_loop()
            # A daemon thread: the server can stop even if the disk never answers.
            self._thread = Thread(target=self._run, name="sqlite-writer", daemon=True)
            self._thread.start()
        self._busy = True
        done: asyncio.Future[int] = self._loop.create_future()
        self._queue.put((batch, done))
        return done

    def drop(self) -> None:
        """Do nothing: the thread closes its connection after an error."""

    async def close(self) -> None:
        """Disconnect."""
        self._queue.put(None)

    def _report(self, done: asyncio.Future[int], result: int | BaseException) -> None:
        self._busy = False
        if done.done():
            return
        if isinstance(result, int):
            done.set_result(result)
        else:
            done.set_exception(result)

    # In the thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        while work := self._queue.get():
            batch, done = work
            result: int | BaseException
            try:
                result = self._write(batch)
            except BaseException as error:  # the waiting tasks receive the error
                result = error
                self._disconnect()
            try:
                self._loop.call_soon_threadsafe(self._report, done, result)
            except RuntimeError:  # the loop is closed
                break
        self._disconnect()

    def _write(self, batch: CommitBatch) -> int:
        if self._connection is None:
            self._connection = sqlite3.connect(self._file, isolation_level=None)
            prepare_sqlite(self._connection, self._timeout)
        connection, rows = self._connection, batch.events
        if not batch.games and batch.heartbeat is None and len(rows) <= MAX_ROWS_PER_INSERT:
            return self._insert(connection, rows)  # a statement is a transaction
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(INSERT_GAME, batch.games)
        new = sum(
            self._insert(connection, rows[at : at + MAX_ROWS_PER_INSERT])
            for at in range(0, len(rows), MAX_ROWS_PER_INSERT)
        )
        if batch.heartbeat is not None:
            connection.execute(HEARTBEAT, (batch.heartbeat,))
        connection.execute("COMMIT")
        return new

    @staticmethod
    def _insert(connection: sqlite3.Connection, rows: list[EventRow]) -> int:
        values = [value for row in rows for value in row]
        return connection.execute(insert_events(len(rows)), values).rowcount

    def _disconnect(self) -> None:
        """Close the connection, which rolls back an open transaction."""
        connection, self._connection = self._connection, None
        if connection:
            connection.close()
