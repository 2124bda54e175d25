"""The tables of the database; the files in `migrations/` create them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Table,
    Text,
)

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("book", String(100), nullable=False),
    Column("terms", Text, nullable=False),  # JSON
    Column("created", BigInteger, nullable=False, index=True),  # milliseconds
)

events = Table(
    "events",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("seat", SmallInteger),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("game", "seq"),
    sqlite_with_rowid=False,  # so that the events of a game are neighbors on disk
)

uptime = Table(
    "uptime",
    metadata,
    Column("began", BigInteger, primary_key=True, autoincrement=False),  # see `clock.Period`
    Column("until", BigInteger, nullable=False),
    Column("shift", BigInteger, nullable=False),
)

heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", SmallInteger, primary_key=True),  # there is one row: 1
    Column("at", BigInteger, nullable=False),  # the time of the last heartbeat
)
