"""A lock that one server holds as long as it uses a file of SQLite.

It is a lock of SQLite on a file beside the database, so it works wherever SQLite does, other
programs can still read the database, and the system releases it whenever the server ends.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from duelbook.web.store.database import StoreError


class SqliteLock:
    """The right to be the only server of a file."""

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
        """Let another server have it."""
        if self._held:
            self._held.close()
            self._held = None
