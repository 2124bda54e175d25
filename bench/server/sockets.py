"""A minimal WebSocket client, so that the load generator is not the bottleneck."""

from __future__ import annotations

import asyncio
from typing import cast

HELLO = (
    "GET {path} HTTP/1.1\r\n"
    "Host: 127.0.0.1:{port}\r\n"
    "Connection: Upgrade\r\n"
    "Upgrade: websocket\r\n"
    "Sec-WebSocket-Key: MDAwMDAwMDAwMDAwMDAwMA==\r\n"
    "Sec-WebSocket-Version: 13\r\n"
    "\r\n"
)
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
NO_MASK = bytes(4)  # a mask of zeros leaves the text unchanged


class Socket(asyncio.Protocol):
    """One connection; subclasses override `opened` and `heard`."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._unread = b""
        self._upgraded = False
        self.gone = False

    async def connect(self, port: int, path: str) -> None:
        """Connect to a server on this machine."""
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", port)
        transport.write(HELLO.format(path=path, port=port).encode())

    def opened(self) -> None:
        """Handle the opening of the connection."""

    def heard(self, text: bytes) -> None:
        """Handle a received text."""

    def lost(self, why: str) -> None:
        """Handle an unexpected end of the connection."""

    def send(self, text: bytes) -> None:
        """Send a text."""
        self._frame(TEXT, text)

    def close(self) -> None:
        """Close as a browser does, without waiting for the answer."""
        if self._transport and not self.gone:
            self._frame(CLOSE, b"\x03\xe8")
            self.gone = True
            self._transport.close()

    def _frame(self, kind: int, data: bytes) -> None:
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        if self._transport:
            self._transport.write(bytes([kind]) + length + NO_MASK + data)

    # Called by asyncio ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Report an unexpected close."""
        if not self.gone:
            self.gone = True
            self.lost(str(exc or "the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        """Split received data into frames."""
        data = self._unread + data if self._unread else data
        if not self._upgraded:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._unread = head
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.gone = True
                self.lost(head.decode(errors="replace"))
                return
            self._upgraded = True
            self.opened()
        at = 0
        while frame := _frame_at(data, at):
            start, end_ = frame
            kind, at = data[at], end_
            if kind == TEXT:
                self.heard(data[start:end_])
            elif kind == PING:
                self._frame(PONG, data[start:end_])
            elif kind == CLOSE and not self.gone:
                self.gone = True
                self.lost(data[start + 2 : end_].decode(errors="replace"))
        self._unread = data[at:]


def _frame_at(data: bytes, at: int) -> tuple[int, int] | None:
    """Return the start and end of a frame's payload, if the frame is complete."""
    if len(data) < at + 2:
        return None
    size, start = data[at + 1], at + 2
    if size >= 126:
        wide = 2 if size == 126 else 8
        size, start = int.from_bytes(data[start : start + wide], "big"), start + wide
    return (start, start + size) if len(data) >= start + size else None
