"""A lock that a server holds while it uses an SQLite database.

It is an SQLite lock on a file beside the database, so it works on every system with SQLite. Other
programs can still read the database. The system releases the lock when the server ends.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from duelbook.web.store.database import StoreError


class SqliteLock:
    """A lock that makes a server the only one to use a database file."""

    def __init__(self, file: str) -> None:
        self._file = Path(file).resolve()
        self._held: sqlite3.Connection | None = None

    def take(self) -> None:
        """Take the lock, or raise StoreError if another server has it."""
        try:
            self._held = sqlite3.connect(
                f"{self._file}.lock", timeout=0, isolation_level=None, check_same_thread=False
            )
            self._held.execute("PRAGMA journal_mode=MEMORY")  # no second file
            self._held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self.release()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise StoreError(f"Another server uses {self._file}: stop it first.") from None
            raise StoreError("The database cannot be opened.") from error

    def release(self) -> None:
        """Release the lock."""
        if self._held:
            self._held.close()
            self._held = None
