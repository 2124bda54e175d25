"""A WebSocket: it reads and writes frames, and enforces the limits of a connection.

The class implements uvicorn's WebSocket protocol. It calls the conversation directly, without a
task or a queue. The server reads more slowly from a client that sends frames too fast. The server
aborts the connection of a client that does not read its messages or does not answer a ping.
"""

from __future__ import annotations

import asyncio
from secrets import token_bytes
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.server import ServerState

from duelbook.web import protocol as p
from duelbook.web.server import frames
from duelbook.web.server.addresses import peer
from duelbook.web.server.conversation import Conversation
from duelbook.web.server.handshake import shake_hands
from duelbook.web.server.shared_services import Services

LINGER = 2.0
"""Seconds that a client has to close its side of a connection before the server aborts it."""
SLOWEST = 0.1
"""The minimum pause in reading from a client that is too fast, in seconds.

Shorter pauses would cost the server more.
"""
LOUD = 65_536
"""Bytes that a client may send ahead while the server still handles its last message."""


class WebSocket(asyncio.Protocol):
    """One connection; uvicorn creates it when a request asks for a WebSocket."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        del config  # the settings hold the same information
        self.services = Services.of(app_state)
        self._tasks = server_state.tasks  # uvicorn waits for them when it stops
        self._connections = cast(set[Any], server_state.connections)
        limiter = self.services.limiter
        self._clock, self._limits, self._rate = limiter.clock, limiter.limits, limiter.frames()
        self._loop = asyncio.get_running_loop()
        self._reader = frames.FrameReader(limiter.limits.message)
        self._transport: asyncio.Transport
        self._host = ""
        self._conversation: Conversation | None = None
        self._address: str | None = None
        """The address that the limiter counts this WebSocket for; None before it is counted."""
        self._is_open = False
        self._ignores = False  # true once the server discards all input
        self._reads = self._holds = self._is_slowed = self._is_paused = False
        self._pinged = b""
        self._timer: asyncio.TimerHandle | None = None
        self._resuming: asyncio.TimerHandle | None = None

    # For the conversation ---------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        """Send a message, unless the connection is closed."""
        if self._is_open:
            self._transport.write(frames.frame(frames.TEXT, message))

    def close(self, code: int, why: str = "") -> None:
        """Send a close frame, and give the client `LINGER` seconds to answer it."""
        if self._is_open:
            self._is_open = False
            self._transport.write(frames.closing(code, why))
            self._linger()

    def hold(self) -> None:
        """Pass no messages to the conversation until `release`."""
        self._holds = True

    def release(self) -> None:
        """Pass messages to the conversation again."""
        self._holds = False
        self._resume()
        self._read()

    # Called by uvicorn and asyncio ------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the transport of a request that asks for a WebSocket."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(self._limits.unsent)
        self._host = peer(transport)
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 # the cause
        """Stop the timers, stop counting the connection and end the conversation."""
        self._is_open, self._ignores = False, True
        self._connections.discard(self)
        self._stop(self._timer)
        self._stop(self._resuming)
        limiter = self.services.limiter
        limiter.depart(self.services.counted_peer(self._host))
        if self._address is not None:
            limiter.leave(self._address)
        if self._conversation:
            self.services.hub.metrics.connections.dec()
            self._conversation.gone()

    def data_received(self, data: bytes) -> None:
        """Take the request from the first bytes, and frames from all later ones."""
        if self._ignores:
            return
        if self._timer is None:
            self._begin(data)
            return
        self._reader.feed(data)
        self._read()
        if self._holds and self._reader.unread > LOUD:
            self._pause()

    def pause_writing(self) -> None:
        """Abort the connection of a client that does not read."""
        self._cut_off()

    def shutdown(self) -> None:
        """Ask the client to connect again later, because the server stops."""
        self.close(p.Close.RESTART)
        self._transport.close()

    # Opening and closing ----------------------------------------------------------------------

    def _begin(self, request: bytes) -> None:
        found = shake_hands(request, self._host, self.services)
        self._transport.write(found.answer)
        if found.status != 101:
            self.services.hub.metrics.requests.labels(str(found.status)).inc()
            self._ignores = True
            self._transport.close()
            self._linger()
            return
        self._is_open = True
        self._timer = self._loop.call_later(self._limits.ping, self._ping)
        if not self.services.limiter.enter(found.address):
            self.close(p.Close.LIMIT, "Too many connections from your address.")
            return
        self._address = found.address
        self._conversation = Conversation(
            *(self, self.services.hub, found.game, found.address),
            silence=self._limits.timeout,
            tasks=self._tasks,
        )
        self.services.hub.metrics.connections.inc()

    def _ping(self) -> None:
        """Send a ping; abort the connection if the client did not answer the last one."""
        if self._pinged and not self._holds:
            self._cut_off()
            return
        self._pinged = token_bytes(4)
        self._timer = self._loop.call_later(self._limits.ping, self._ping)
        self._transport.write(frames.frame(frames.PING, self._pinged))

    def _violated(self, violation: frames.Violation) -> None:
        """Close the connection of a client that violates the protocol, and ignore its input."""
        self.close(violation.code, str(violation))
        self._ignores = True
        self._transport.write_eof()

    def _linger(self) -> None:
        """Abort the connection after `LINGER` seconds if the client does not close it first."""
        self._stop(self._timer)
        self._timer = self._loop.call_later(LINGER, self._cut_off)

    def _cut_off(self) -> None:
        self._is_open = False  # so that `send` sends nothing more
        self._transport.abort()

    # Reading ----------------------------------------------------------------------------------

    def _read(self) -> None:
        """Take the frames that have arrived, as many as the rate allows."""
        if self._reads:
            return  # `release` may call this method inside the loop below
        self._reads = True
        try:
            while not (self._holds or self._is_slowed or self._ignores):
                found = self._reader.next()
                if found is None:
                    break
                self._take(*found)
                wait = self._rate.pay(self._clock())
                if wait:
                    self._slow_down(max(wait, SLOWEST))
        except frames.Violation as violation:
            self._violated(violation)
        finally:
            self._reads = False

    def _take(self, opcode: int, payload: bytes) -> None:
        if opcode == frames.CLOSE:
            self._take_leave(payload)
        elif not self._is_open:
            return  # after the server's close frame, only the client's counts
        elif opcode == frames.TEXT and self._conversation:
            self._conversation.heard(frames.text(payload))
        elif opcode == frames.BINARY:
            self.close(p.Close.INVALID, "A message is JSON in text.")
        elif opcode == frames.PING:
            self._transport.write(frames.frame(frames.PONG, payload))
        elif opcode == frames.PONG and payload == self._pinged:
            self._pinged = b""

    def _take_leave(self, payload: bytes) -> None:
        frames.check_closing(payload)
        if self._is_open:  # otherwise the client answers the server's close frame
            self._is_open = False
            self._transport.write(frames.frame(frames.CLOSE, payload))
        self._ignores = True
        self._transport.close()
        self._linger()

    def _slow_down(self, seconds: float) -> None:
        self._is_slowed = True
        self._pause()
        self._resuming = self._loop.call_later(seconds, self._go_on)

    def _go_on(self) -> None:
        self._is_slowed = False
        self._resume()
        self._read()

    def _pause(self) -> None:
        if not self._is_paused and not self._transport.is_closing():
            self._is_paused = True
            self._transport.pause_reading()

    def _resume(self) -> None:
        if self._is_paused and not self._is_slowed and not self._transport.is_closing():
            self._is_paused = False
            self._transport.resume_reading()

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer:
            timer.cancel()
