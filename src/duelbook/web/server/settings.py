"""The settings of a server, which its workers read from their environment."""

from __future__ import annotations

import os

import msgspec

from duelbook.web.server.limits import Limits

VARIABLE = "DUELBOOK_SERVER"


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
    limits: Limits = Limits()

    def export(self) -> None:
        """Write the settings to the environment for the workers."""
        os.environ[VARIABLE] = msgspec.json.encode(self).decode()

    @classmethod
    def imported(cls) -> Settings:
        """Return the settings from the environment."""
        return msgspec.json.decode(os.environ[VARIABLE], type=cls)
