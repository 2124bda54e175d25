"""Attacking clients: they write raw bytes to connections, each from a different address.

On Linux all of 127.0.0.0/8 is this machine. The server trusts 127.0.0.1 as a proxy. `second_client`
uses 127.0.0.2.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Protocol, Self

from servers import TIMEOUT_SECONDS

NUMBERS = count(1)
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
"""The first byte of an unfragmented frame: the final bit and the opcode."""
MASK = b"\x01\x02\x03\x04"


def unused_address() -> str:
    """Return an unused address."""
    number = next(NUMBERS)
    return f"127.0.{1 + number // 250}.{1 + number % 250}"


def frame(first: int, payload: bytes = b"", *, masked: bool = True) -> bytes:
    """Return a frame as a client sends it, with any first byte."""
    size, bit = len(payload), 0x80 if masked else 0
    if size < 126:
        head = bytes((first, bit | size))
    elif size < 65_536:
        head = bytes((first, bit | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, bit | 127)) + size.to_bytes(8, "big")
    if not masked:
        return head + payload
    return head + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(payload))


class HasPort(Protocol):
    """A server on this machine."""

    @property
    def port(self) -> int:
        """The port of the server."""


class RawConnection:
    """A raw connection: it sends only the bytes of the test."""

    def __init__(self, server: HasPort, address: str) -> None:
        self.address, target = address, ("127.0.0.1", server.port)
        self.socket = socket.create_connection(target, TIMEOUT_SECONDS, source_address=(address, 0))
        self.unread = b""

    def send(self, data: bytes) -> Self:
        """Send bytes."""
        self.socket.sendall(data)
        return self

    def upgrade(self, game: str, **headers: str) -> int:
        """Ask for the WebSocket of a game; return the status of the answer."""
        all_headers = {
            "Host": "test",
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Key": "MDAwMDAwMDAwMDAwMDAwMA==",
            "Sec-WebSocket-Version": "13",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        lines = [
            f"GET /api/games/{game}/live HTTP/1.1",
            *(f"{k}: {v}" for k, v in all_headers.items()),
        ]
        self.send("\r\n".join([*lines, "", ""]).encode())
        head = self.read_until(b"\r\n\r\n")
        return int(head.split()[1])

    def read_until(self, end: bytes) -> bytes:
        """Read up to and including the bytes `end`."""
        while end not in self.unread:
            data = self.socket.recv(65_536)
            assert data, f"The connection ended after {self.unread!r}"
            self.unread += data
        data, _, self.unread = self.unread.partition(end)
        return data + end

    def flood(self, data: bytes, seconds: float) -> int:
        """Send the same data repeatedly, as fast as possible; return the number of bytes sent."""
        deadline, sent = time.monotonic() + seconds, 0
        self.socket.settimeout(0.05)
        while time.monotonic() < deadline:
            try:
                sent += self.socket.send(data)
            except TimeoutError:
                continue
            except OSError:
                break  # the server aborted the connection
        self.socket.settimeout(TIMEOUT_SECONDS)
        return sent

    def close_code(self) -> int | None:
        """Read to the end; return the code of the close frame, or None if there is none."""
        data = self.unread + self.read_to_end()
        while data:
            first, size, start = data[0], data[1], 2
            if size > 125:
                wide = 2 if size == 126 else 8
                size, start = int.from_bytes(data[2 : 2 + wide], "big"), 2 + wide
            if first == CLOSE:
                return int.from_bytes(data[start : start + 2], "big") if size else 1005
            data = data[start + size :]
        return None

    def read_to_end(self) -> bytes:
        """Read all data until the connection ends, cleanly or not."""
        received = b""
        try:
            while data := self.socket.recv(65_536):
                received += data
        except ConnectionError:
            pass
        return received

    def has_ended(self) -> bool:
        """Return whether the connection has ended; discard the data that has arrived."""
        self.socket.setblocking(False)
        try:
            while self.socket.recv(65_536):
                pass
        except BlockingIOError:
            return False
        except ConnectionError:
            return True
        finally:
            self.socket.settimeout(TIMEOUT_SECONDS)
        return True


@contextmanager
def open_connections(
    server: HasPort, number: int = 1, address: str = ""
) -> Iterator[list[RawConnection]]:
    """Open connections, by default from an unused address, and close them after the block."""
    opened: list[RawConnection] = []
    address = address or unused_address()
    try:
        opened.extend(RawConnection(server, address) for _ in range(number))
        yield opened
    finally:
        for connection in opened:
            connection.socket.close()
