"""Backups of SQLite: a complete copy of the database while it is in use."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

from duelbook.errors import DuelbookError
from duelbook.system.json_logs import log
from duelbook.web.prometheus_metrics import Metrics

PAGES = 500
"""The number of pages in one step of the copy."""
PAUSE_SECONDS = 0.005
"""The pause after each step, so that players can use the disk."""


class Stopped(Exception):  # noqa: N818 # an end, not an error
    """The server stops, and the copy is not complete."""


def back_up(database: Path, copy: Path, stop: Event) -> None:
    """Replace the file `copy` by a copy of the current database."""
    draft = copy.with_name(f".{copy.name}.part")
    draft.unlink(missing_ok=True)
    try:
        with (
            closing(sqlite3.connect(database)) as source,
            closing(sqlite3.connect(draft)) as target,
        ):
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master")  # starts the read transaction

            def pause(*_: int) -> None:
                if stop.wait(PAUSE_SECONDS):
                    raise Stopped

            source.backup(target, pages=PAGES, progress=pause)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, without a journal beside it
            (result,) = target.execute("PRAGMA quick_check").fetchone()
            if result != "ok":
                raise sqlite3.DatabaseError(f"The copy is damaged: {result}")
        _sync(draft)
        draft.replace(copy)
        _sync(copy.parent)
    finally:
        draft.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    if os.name == "nt" and path.is_dir():  # Windows cannot open folders
        return
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


class Backups:
    """Copies the database at intervals."""

    def __init__(self, database: str, copy: Path, seconds: float, metrics: Metrics) -> None:
        self._database, self._copy = Path(database), copy
        self._seconds, self._metrics = seconds, metrics

    async def run(self) -> None:
        """Make one copy after another."""
        while True:
            started = time.monotonic()
            try:
                await self._in_thread()
            except (sqlite3.Error, OSError) as error:
                self._metrics.store_failures.labels("backup").inc()
                log("backup failed", logging.ERROR, cause=f"{type(error).__name__}: {error}")
            else:
                self._metrics.backup_time.set_to_current_time()
                log("backed up", seconds=round(time.monotonic() - started, 3))
            await asyncio.sleep(self._seconds)

    async def _in_thread(self) -> None:
        """Make a copy in a thread that stops with this task.

        The thread is a daemon, so a copy that hangs does not keep the process from ending.
        """
        loop, stop = asyncio.get_running_loop(), Event()
        done: asyncio.Future[None] = loop.create_future()

        def report(error: Exception | None) -> None:
            if not done.done():
                done.set_exception(error) if error else done.set_result(None)

        def work() -> None:
            error: Exception | None = None
            try:
                back_up(self._database, self._copy, stop)
            except Exception as failure:
                error = failure
            if not stop.is_set():
                loop.call_soon_threadsafe(report, error)

        Thread(target=work, name="backup", daemon=True).start()
        try:
            await done
        finally:
            stop.set()


def check_backup(copy: Path, database: str | None) -> None:
    """Refuse a file that cannot be a backup; `database` is None unless it is SQLite."""
    if database is None:
        raise DuelbookError("--backup is for SQLite; PostgreSQL has pg_dump and its archives.")
    if copy.resolve() == Path(database).resolve():
        raise DuelbookError("The backup must be another file than the database.")
    if not copy.parent.is_dir():
        raise DuelbookError(f"There is no folder {copy.parent} for the backup.")
