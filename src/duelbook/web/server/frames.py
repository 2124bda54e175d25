"""WebSocket frames (RFC 6455), as a server reads and writes them, without extensions."""

from __future__ import annotations

from websockets.exceptions import ProtocolError
from websockets.frames import Close

try:
    from websockets.speedups import apply_mask
except ImportError:  # this installation has no compiled speedups
    from websockets.utils import apply_mask

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
OPCODES = {CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG}
FINAL, RESERVED, CONTROL, MASKED = 0x80, 0x70, 0x8, 0x80
PROTOCOL_ERROR, NOT_UTF_8, TOO_BIG = 1002, 1007, 1009
SHORT, MEDIUM = 125, 0xFFFF
"""The longest payloads whose length fits into one byte, and into the next two bytes."""


class Violation(Exception):  # noqa: N818 # an error of the client, not of the server
    """A violation of the protocol by a client, with the code that closes its connection."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


class FrameReader:
    """Splits the bytes of a client into frames, and joins the fragments of a message."""

    __slots__ = ("_at", "_data", "_fragments", "_kind", "_max_size", "_size")

    def __init__(self, max_size: int) -> None:
        """Read messages of at most `max_size` bytes."""
        self._max_size = max_size
        self._data, self._at = b"", 0
        self._fragments: list[bytes] = []
        self._kind = CONTINUATION  # later the opcode of the message whose fragments arrive
        self._size = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._data = self._data[self._at :] + data if self._at < len(self._data) else data
        self._at = 0

    @property
    def unread(self) -> int:
        """The number of bytes that are not read yet."""
        return len(self._data) - self._at

    def next(self) -> tuple[int, bytes] | None:
        """Return the opcode and payload of the next frame, or None if it is incomplete.

        A whole message has the opcode of its first frame. A fragment that is not the last one
        becomes a CONTINUATION without a payload. Raise a Violation if the frame is not valid.
        """
        data, at = self._data, self._at
        if len(data) - at < 2:
            return None
        first, size, start = data[at], data[at + 1] & 0x7F, at + 6
        self._check(first, data[at + 1])
        if size > SHORT:
            wide = 2 if size == SHORT + 1 else 8
            if len(data) < at + 2 + wide:
                return None
            size, start = int.from_bytes(data[at + 2 : at + 2 + wide], "big"), start + wide
        if size > self._max_size - self._size and not first & CONTROL:
            raise Violation(TOO_BIG, f"a message has at most {self._max_size} bytes")
        if len(data) < start + size:
            return None
        self._at = start + size
        payload = apply_mask(data[start : self._at], data[start - 4 : start])
        if first & CONTROL or (first & FINAL and first & 0x0F):  # the usual case
            return first & 0x0F, payload
        return self._joined(first, payload)

    def _check(self, first: int, second: int) -> None:
        """Check the first two bytes of a frame."""
        opcode = first & 0x0F
        if first & RESERVED:
            raise Violation(PROTOCOL_ERROR, "reserved bits must be 0")
        if not second & MASKED:
            raise Violation(PROTOCOL_ERROR, "incorrect masking")
        if opcode not in OPCODES:
            raise Violation(PROTOCOL_ERROR, "invalid opcode")
        if opcode & CONTROL:
            if second & 0x7F > SHORT:
                raise Violation(PROTOCOL_ERROR, "control frame too long")
            if not first & FINAL:
                raise Violation(PROTOCOL_ERROR, "fragmented control frame")
        elif opcode and self._kind:
            raise Violation(PROTOCOL_ERROR, "expected a continuation frame")
        elif not opcode and not self._kind:
            raise Violation(PROTOCOL_ERROR, "unexpected continuation frame")

    def _joined(self, first: int, payload: bytes) -> tuple[int, bytes]:
        """Take a fragment, and return the whole message if it is the last one."""
        self._kind = self._kind or first & 0x0F
        if payload:  # empty fragments take no memory
            self._fragments.append(payload)
            self._size += len(payload)
        if not first & FINAL:
            return CONTINUATION, b""
        kind, whole = self._kind, b"".join(self._fragments)
        self._fragments, self._kind, self._size = [], CONTINUATION, 0
        return kind, whole


def frame(opcode: int, payload: bytes) -> bytes:
    """Return a frame as a server sends it: unfragmented and unmasked."""
    size = len(payload)
    if size <= SHORT:
        return bytes((FINAL | opcode, size)) + payload
    if size <= MEDIUM:
        return bytes((FINAL | opcode, SHORT + 1, size >> 8, size & 0xFF)) + payload
    return bytes((FINAL | opcode, SHORT + 2)) + size.to_bytes(8, "big") + payload


def close_frame(code: int, why: str = "") -> bytes:
    """Return the frame that closes a connection."""
    reason = why.encode()[: SHORT - 2].decode(errors="ignore")  # whole characters
    return frame(CLOSE, Close(code, reason).serialize())


def check_close_payload(payload: bytes) -> None:
    """Check the payload of a client's close frame; raise a Violation if it is not valid."""
    try:
        Close.parse(payload)
    except ProtocolError as error:
        raise Violation(PROTOCOL_ERROR, str(error)) from error
    except UnicodeDecodeError as error:
        raise Violation(NOT_UTF_8, "this is not UTF-8") from error


def text(payload: bytes) -> str:
    """Return the text of a message; raise a Violation if it is not UTF-8."""
    try:
        return payload.decode()
    except UnicodeDecodeError as error:
        raise Violation(NOT_UTF_8, "this is not UTF-8") from error
