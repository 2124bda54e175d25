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
from duelbook.web.server.handshake import answer_handshake
from duelbook.web.server.shared_services import Services

CLOSE_TIMEOUT_SECONDS = 2.0
"""Seconds that a client has to close its side of a connection before the server aborts it."""
MIN_PAUSE_SECONDS = 0.1
"""The minimum pause in reading from a client that is too fast, in seconds.

Shorter pauses would cost the server more.
"""
MAX_UNREAD_BYTES = 65_536
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
        self._clock, self._limits, self._rate = (
            limiter.clock,
            limiter.limits,
            limiter.new_frame_bucket(),
        )
        self._loop = asyncio.get_running_loop()
        self._reader = frames.FrameReader(limiter.limits.message)
        self._transport: asyncio.Transport
        self._host = ""
        self._conversation: Conversation | None = None
        self._address: str | None = None
        """The address that the limiter counts this WebSocket for; None before it is counted."""
        self._is_open = False
        self._ignores_input = False  # true once the server discards all input
        self._is_reading = self._is_held = self._is_slowed = self._is_paused = False
        self._pinged = b""
        self._timer: asyncio.TimerHandle | None = None
        self._resuming: asyncio.TimerHandle | None = None

    # For the conversation ---------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        """Send a message, unless the connection is closed."""
        if self._is_open:
            self._transport.write(frames.frame(frames.TEXT, message))

    def close(self, code: int, why: str = "") -> None:
        """Send a close frame, and give the client `CLOSE_TIMEOUT_SECONDS` to answer it."""
        if self._is_open:
            self._is_open = False
            self._transport.write(frames.close_frame(code, why))
            self._linger()

    def hold(self) -> None:
        """Pass no messages to the conversation until `release`."""
        self._is_held = True

    def release(self) -> None:
        """Pass messages to the conversation again."""
        self._is_held = False
        self._resume_transport()
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
        self._is_open, self._ignores_input = False, True
        self._connections.discard(self)
        self._stop(self._timer)
        self._stop(self._resuming)
        limiter = self.services.limiter
        limiter.close_connection(self.services.peer_address(self._host))
        if self._address is not None:
            limiter.close_websocket(self._address)
        if self._conversation:
            self.services.hub.metrics.connections.dec()
            self._conversation.disconnect()

    def data_received(self, data: bytes) -> None:
        """Take the request from the first bytes, and frames from all later ones."""
        if self._ignores_input:
            return
        if self._timer is None:
            self._open(data)
            return
        self._reader.feed(data)
        self._read()
        if self._is_held and self._reader.unread > MAX_UNREAD_BYTES:
            self._pause()

    def pause_writing(self) -> None:
        """Abort the connection of a client that does not read."""
        self._abort()

    def shutdown(self) -> None:
        """Ask the client to connect again later, because the server stops."""
        self.close(p.Close.RESTART)
        self._transport.close()

    # Opening and closing ----------------------------------------------------------------------

    def _open(self, request: bytes) -> None:
        handshake = answer_handshake(request, self._host, self.services)
        self._transport.write(handshake.answer)
        if handshake.status != 101:
            self.services.hub.metrics.requests.labels(str(handshake.status)).inc()
            self._ignores_input = True
            self._transport.close()
            self._linger()
            return
        self._is_open = True
        self._timer = self._loop.call_later(self._limits.ping, self._ping)
        if not self.services.limiter.open_websocket(handshake.address):
            self.close(p.Close.LIMIT, "Too many connections from your address.")
            return
        self._address = handshake.address
        self._conversation = Conversation(
            *(self, self.services.hub, handshake.game, handshake.address),
            hello_timeout=self._limits.timeout,
            tasks=self._tasks,
        )
        self.services.hub.metrics.connections.inc()

    def _ping(self) -> None:
        """Send a ping; abort the connection if the client did not answer the last one."""
        if self._pinged and not self._is_held:
            self._abort()
            return
        self._pinged = token_bytes(4)
        self._timer = self._loop.call_later(self._limits.ping, self._ping)
        self._transport.write(frames.frame(frames.PING, self._pinged))

    def _reject(self, violation: frames.Violation) -> None:
        """Close the connection of a client that violates the protocol, and ignore its input."""
        self.close(violation.code, str(violation))
        self._ignores_input = True
        self._transport.write_eof()

    def _linger(self) -> None:
        """Abort the connection if the client does not close it within `CLOSE_TIMEOUT_SECONDS`."""
        self._stop(self._timer)
        self._timer = self._loop.call_later(CLOSE_TIMEOUT_SECONDS, self._abort)

    def _abort(self) -> None:
        self._is_open = False  # so that `send` sends nothing more
        self._transport.abort()

    # Reading ----------------------------------------------------------------------------------

    def _read(self) -> None:
        """Take the frames that have arrived, as many as the rate allows."""
        if self._is_reading:
            return  # `release` may call this method inside the loop below
        self._is_reading = True
        try:
            while not (self._is_held or self._is_slowed or self._ignores_input):
                frame = self._reader.next()
                if frame is None:
                    break
                self._handle_frame(*frame)
                wait = self._rate.overdraw(self._clock())
                if wait:
                    self._slow_down(max(wait, MIN_PAUSE_SECONDS))
        except frames.Violation as violation:
            self._reject(violation)
        finally:
            self._is_reading = False

    def _handle_frame(self, opcode: int, payload: bytes) -> None:
        if opcode == frames.CLOSE:
            self._handle_close(payload)
        elif not self._is_open:
            return  # after the server's close frame, only the client's counts
        elif opcode == frames.TEXT and self._conversation:
            self._conversation.receive(frames.text(payload))
        elif opcode == frames.BINARY:
            self.close(p.Close.INVALID, "A message is JSON in text.")
        elif opcode == frames.PING:
            self._transport.write(frames.frame(frames.PONG, payload))
        elif opcode == frames.PONG and payload == self._pinged:
            self._pinged = b""

    def _handle_close(self, payload: bytes) -> None:
        frames.check_close_payload(payload)
        if self._is_open:  # otherwise the client answers the server's close frame
            self._is_open = False
            self._transport.write(frames.frame(frames.CLOSE, payload))
        self._ignores_input = True
        self._transport.close()
        self._linger()

    def _slow_down(self, seconds: float) -> None:
        self._is_slowed = True
        self._pause()
        self._resuming = self._loop.call_later(seconds, self._resume_reading)

    def _resume_reading(self) -> None:
        self._is_slowed = False
        self._resume_transport()
        self._read()

    def _pause(self) -> None:
        if not self._is_paused and not self._transport.is_closing():
            self._is_paused = True
            self._transport.pause_reading()

    def _resume_transport(self) -> None:
        if self._is_paused and not self._is_slowed and not self._transport.is_closing():
            self._is_paused = False
            self._transport.resume_reading()

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer:
            timer.cancel()
