"""The settings of a server, which its workers read from their environment."""

from __future__ import annotations

import os

import msgspec

from duelbook.web.games.capacity import Caps
from duelbook.web.server.limits import ServerLimits
from duelbook.web.store.store import TIMEOUT

__all__ = ["TIMEOUT", "Settings"]

VARIABLE = "DUELBOOK_SERVER"
MAX_GAMES, MAX_MEGABYTES = Caps.games, Caps.megabytes


class Settings(msgspec.Struct, frozen=True):
    """All options of a server."""

    database: str
    redis: str | None = None
    origins: tuple[str, ...] = ()
    """Other origins whose pages may connect, besides the server's own."""
    games: tuple[str, ...] = ()
    """Files or classes of games to offer besides those that are installed."""
    keep_days: float = 30.0
    """Days after which an untouched game is deleted."""
    database_timeout: float = TIMEOUT
    """Seconds that the database has for an answer."""
    backup: str | None = None
    """The file to which a database of SQLite is copied, ..."""
    backup_seconds: float = 600.0
    """... and the seconds from one copy to the next."""
    limits: ServerLimits = ServerLimits()
    most_games: int = MAX_GAMES
    """Games in the database; then new ones are refused."""
    most_megabytes: int = MAX_MEGABYTES
    """MiB of the database; then new games are refused."""
    proxies: str = "127.0.0.1"
    """Trusted proxies, whose word on a client's address is taken."""
    first_move: float = 60.0
    """Seconds for a first move, if there is a clock; then the other player may abort the game."""
    away: float = 60.0
    """Seconds after which the other player may claim a game from a player to move who left."""
    stuck_after: float = 60.0
    """Seconds without a sign of life after which a process ends itself."""

    def export(self) -> None:
        """Write the settings to the environment for the workers."""
        os.environ[VARIABLE] = msgspec.json.encode(self).decode()

    @classmethod
    def imported(cls) -> Settings:
        """Return the settings from the environment."""
        return msgspec.json.decode(os.environ[VARIABLE], type=cls)
