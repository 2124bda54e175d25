"""The HTTP protocol of uvicorn, with limits on connections, slow clients and fast clients."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from duelbook.web.server.addresses import peer
from duelbook.web.server.middleware import TOO_FAST
from duelbook.web.server.shared_services import Services

KEEP_ALIVE_SECONDS = 20
"""Seconds for which a connection may stay idle between two requests.

HTTP libraries close an idle connection sooner: httpx after 5 seconds, aiohttp after 15. If the
server closed it first, or both at the same moment, a client could send a request on a connection
that has just been closed.
"""
PAUSE_SECONDS = 0.5
"""Seconds for which the server does not read a connection after a request over the rate limit."""
CHECKS_PER_TIMEOUT = 4
"""The number of checks of a connection within the timeout."""


class HttpProtocol(H11Protocol):
    """One HTTP connection."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._services = Services.of(app_state)
        self._timeout = self._services.limiter.limits.timeout
        self._peer: str | None = None
        self._is_counted = self._is_slowed = False
        self._timer: asyncio.TimerHandle | None = None
        self._waiting_cycle: object = None
        self._waiting_since = 0.0

    # Connecting and leaving -------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Count the connection, or abort it if there are too many."""
        super().connection_made(transport)
        self._peer = self._services.peer_address(peer(transport))
        self._is_counted = self._services.limiter.open_connection(self._peer)
        if self._is_counted:
            self._waiting_since = self.loop.time()
            self._timer = self.loop.call_later(self._timeout / CHECKS_PER_TIMEOUT, self._check)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop_timer()
        if self._is_counted:
            self._services.limiter.close_connection(self._peer)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:  # noqa: ANN401 # a request of h11's
        """Hand the connection to a WebSocket, which stops counting it at its end."""
        early_data, _ = self.conn.trailing_data
        self._stop_timer()
        super().handle_websocket_upgrade(event)
        if early_data:
            self.transport.get_protocol().data_received(early_data)  # type: ignore[attr-defined] # a WebSocket

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()

    # Slow clients -----------------------------------------------------------------------------

    def _check(self) -> None:
        """Abort the connection if a request or the reading of an answer takes too long."""
        now, waits = self.loop.time(), self._waits_for_client()
        if not waits or self.cycle is not self._waiting_cycle:
            self._waiting_cycle, self._waiting_since = self.cycle, now
        if waits and now - self._waiting_since >= self._timeout:
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(self._timeout / CHECKS_PER_TIMEOUT, self._check)

    def _waits_for_client(self) -> bool:
        """Return whether a request is incomplete, or the client has not read all of an answer."""
        is_first = self.cycle is None
        if self.transport.get_write_buffer_size() or is_first or self.cycle.more_body:
            return True
        return self.cycle.response_complete and self.timeout_keep_alive_task is None

    # Fast clients -----------------------------------------------------------------------------

    def handle_events(self) -> None:
        """Handle the data that has arrived, unless the client has to wait."""
        if not self._is_slowed:
            super().handle_events()

    def on_response_complete(self) -> None:
        """Continue with the next request; pause first if this one was over the rate limit."""
        is_late = self._peer is not None and TOO_FAST in self.scope["state"]
        self._is_slowed = is_late and not self.transport.is_closing()
        super().on_response_complete()
        if self._is_slowed:
            self.flow.pause_reading()
            self.loop.call_later(PAUSE_SECONDS, self._resume_reading)

    def _resume_reading(self) -> None:
        self._is_slowed = False
        if not self.transport.is_closing():
            self.flow.resume_reading()
            self.handle_events()
