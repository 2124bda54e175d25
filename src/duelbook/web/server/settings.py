"""How a server is to run; its workers read it from their environment."""

from __future__ import annotations

import os

import msgspec

from duelbook.web.server.limits import Limits

VARIABLE = "DUELBOOK_SERVER"


class Settings(msgspec.Struct, frozen=True):
    """All that can be said when a server is started."""

    database: str
    redis: str | None = None
    origins: tuple[str, ...] = ()
    """Other origins whose pages may connect, besides the server's own."""
    games: tuple[str, ...] = ()
    """Files or classes of games to offer besides those that are installed."""
    keep_days: float = 30.0
    """A game in which nothing has happened for so long is forgotten."""
    limits: Limits = Limits()

    def export(self) -> None:
        """Leave the settings where the workers find them."""
        os.environ[VARIABLE] = msgspec.json.encode(self).decode()

    @classmethod
    def imported(cls) -> Settings:
        """Return the settings that were left."""
        return msgspec.json.decode(os.environ[VARIABLE], type=cls)
