"""The database: its URL, its connections and its timeouts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from duelbook.errors import DuelbookError

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg"}
TIMEOUT_SECONDS = 10.0
"""The default timeout of a new connection."""
T = TypeVar("T")


class StoreError(DuelbookError):
    """The database could not be reached, or refused a statement."""


class Database:
    """Connections to a database, with a timeout for every answer."""

    def __init__(self, url: str, timeout: float) -> None:
        self.engine = _engine(url, timeout)
        self._url, self._timeout = url, timeout

    @property
    def is_sqlite(self) -> bool:
        """Return whether this is SQLite, which only one server process may use."""
        return self.engine.dialect.name == "sqlite"

    @property
    def file(self) -> str:
        """The file of an SQLite database."""
        return str(self.engine.url.database)

    async def migrate(self) -> None:
        """Migrate the tables if necessary; a migration has no timeout."""
        if await self.ask(lambda connection: connection.run_sync(_is_migrated)):
            return
        migration_engine = _engine(self._url, None)
        try:
            async with migration_engine.begin() as connection:
                await connection.run_sync(_migrate)
        except Exception as error:  # drivers have errors of their own
            raise StoreError("The tables of the database could not be migrated.") from error
        finally:
            await migration_engine.dispose()

    async def ask(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run work in a transaction and return its result.

        Run it once more if the connection is lost.
        """
        try:
            try:
                return await self._within_time(work)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            return await self._within_time(work)  # the connection was lost, perhaps long ago
        except Exception as error:  # drivers have errors of their own
            raise StoreError("The database cannot be reached: try again.") from error

    async def _within_time(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run work with the timeout; do not wait for a driver that ignores its cancellation."""
        task = asyncio.create_task(self._transact(work))
        task.add_done_callback(_ignore_error)
        try:
            done, _ = await asyncio.wait({task}, timeout=self._timeout)
        finally:
            task.cancel()
        if not done:
            raise TimeoutError(f"no answer for {self._timeout:g} s")
        return task.result()

    async def _transact(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        async with self.engine.begin() as connection:
            return await work(connection)

    async def close(self) -> None:
        """Disconnect."""
        task = asyncio.create_task(self.engine.dispose())
        task.add_done_callback(_ignore_error)
        await asyncio.wait({task}, timeout=self._timeout)


def cause(error: StoreError) -> str:
    """Return the cause of an error for the log, without any data of players."""
    reason = error.__cause__
    if isinstance(reason, DBAPIError) and reason.orig is not None:
        reason = reason.orig.__cause__ or reason.orig
    if reason is None or isinstance(reason, (TypeError, ValueError)):  # these quote the value
        return type(reason).__name__
    return f"{type(reason).__name__}: {reason}".partition("\n")[0]


def _ignore_error(task: asyncio.Task[Any]) -> None:
    """Read the error of a task that nobody awaits, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()


def _engine(url: str, timeout: float | None) -> AsyncEngine:
    """Return an engine; if `timeout` is None, only new connections have a timeout."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise DuelbookError("This is not a database URL, such as sqlite:///games.db.") from error
    kind = parsed.drivername.partition("+")[0].replace("postgresql", "postgres")
    if kind not in DRIVERS:
        raise DuelbookError(f"Games are stored in SQLite or PostgreSQL, not in {kind!r:.40}.")
    if kind == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise DuelbookError("SQLite needs a file, such as sqlite:///games.db.")
    parsed = parsed.set(drivername=DRIVERS[kind])
    if kind == "sqlite":
        engine = create_async_engine(parsed)
        event.listen(
            engine.sync_engine, "connect", lambda connection, _: prepare_sqlite(connection, timeout)
        )
        return engine
    driver: dict[str, Any] = {
        "timeout": timeout or TIMEOUT_SECONDS,
        "command_timeout": timeout,
    }
    if timeout:
        milliseconds = str(round(1000 * timeout))
        driver["server_settings"] = {
            "statement_timeout": milliseconds,
            "lock_timeout": milliseconds,
            "idle_in_transaction_session_timeout": milliseconds,  # after a server has stopped
        }
    return create_async_engine(parsed, pool_timeout=timeout or TIMEOUT_SECONDS, connect_args=driver)


def prepare_sqlite(connection: Any, timeout: float | None) -> None:  # noqa: ANN401 # a driver's connection
    """Set the pragmas of a connection to SQLite."""
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={round(800 * (timeout or TIMEOUT_SECONDS))}",  # SQLite gives up first
        "journal_mode=WAL",
        "synchronous=FULL",  # a commit is on disk when it returns
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


# Migrations -------------------------------------------------------------------------------------


def _is_migrated(connection: Connection) -> bool:
    newest = ScriptDirectory.from_config(_alembic()).get_current_head()
    return MigrationContext.configure(connection).get_current_revision() == newest


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # one server at a time
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7301834)")
    config = _alembic()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config
