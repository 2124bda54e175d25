"""Services that the protocols of a server share; the application passes them through uvicorn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duelbook.web.games.hub import Hub
from duelbook.web.server.addresses import Proxies, limit_key
from duelbook.web.server.limits import Limiter

KEY = "duelbook"


@dataclass(frozen=True)
class Services:
    """The hub, and the rules for access to it."""

    hub: Hub
    limiter: Limiter
    proxies: Proxies
    origins: tuple[str, ...] = ()
    """Other origins whose pages may connect, besides the server's own."""

    def as_state(self) -> dict[str, Any]:
        """Return the state that uvicorn passes to every protocol."""
        return {KEY: self}

    @classmethod
    def of(cls, state: dict[str, Any]) -> Services:
        """Return the services of a server."""
        services: Services = state[KEY]
        return services

    def peer_address(self, host: str) -> str | None:
        """Return the address that a connection counts as, or None for a trusted proxy."""
        return None if host in self.proxies else limit_key(host)
