"""Frames are read as the library `websockets` reads them, byte by byte or all at once."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.uri import parse_uri
from websockets.utils import apply_mask

from duelbook.web.server import frames
from duelbook.web.server.frames import FrameReader, Violation

MAX_SIZE = 70_000
Read = tuple[list[tuple[int, bytes]], int | None]
"""The messages and control frames, and the code of what ended them."""


def ours(pieces: list[bytes], max_size: int = MAX_SIZE) -> Read:
    """Read pieces with our reader, as the WebSocket does."""
    reader, frames_read = FrameReader(max_size), []
    try:
        for piece in pieces:
            reader.feed(piece)
            while (frame_read := reader.next()) is not None:
                if frame_read[0] == frames.CLOSE:
                    frames.check_close_payload(frame_read[1])
                if frame_read[0] != frames.CONTINUATION:
                    frames_read.append(frame_read)
                if frame_read[0] == frames.CLOSE:
                    return frames_read, None
    except Violation as violation:
        return frames_read, violation.code
    return frames_read, None


def theirs(data: bytes, max_size: int = MAX_SIZE) -> Read:
    """Read everything with the library, and join the fragments as its users do."""
    library = ServerProtocol(state=OPEN, max_size=max_size)
    library.receive_data(data)
    frames_read: list[tuple[int, bytes]] = []
    parts, kind = b"", Opcode.CONT
    for event in library.events_received():
        assert isinstance(event, Frame)
        if event.opcode in (Opcode.CLOSE, Opcode.PING, Opcode.PONG):
            frames_read.append((event.opcode, bytes(event.data)))
            continue
        parts, kind = parts + bytes(event.data), kind or event.opcode
        if event.fin:
            frames_read.append((kind, parts))
            parts, kind = b"", Opcode.CONT
    if library.parser_exc is None:
        return frames_read, None
    assert library.close_sent is not None
    return frames_read, library.close_sent.code


def masked(first: int, payload: bytes, mask: bytes = b"\x01\x02\x03\x04") -> bytes:
    """Return a frame of a client, whatever its first byte says."""
    size = len(payload)
    head = bytes((first, 0x80 | min(size, 126 if size <= 0xFFFF else 127)))
    if size > 125:
        head += size.to_bytes(2 if size <= 0xFFFF else 8, "big")
    return head + mask + apply_mask(payload, mask)


payloads = st.binary(max_size=20) | st.sampled_from([0, 125, 126, 127]).map(bytes)
sound = st.builds(masked, st.sampled_from([0x81, 0x82, 0x89, 0x8A]), payloads)
fragments = st.lists(payloads, min_size=2, max_size=4).map(
    lambda parts: b"".join(
        masked((0x80 if n == len(parts) - 1 else 0) | (0 if n else 1), part)
        for n, part in enumerate(parts)
    )
)
closes = st.binary(max_size=6) | st.integers(990, 5010).map(lambda code: code.to_bytes(2, "big"))
odd = st.builds(masked, st.integers(0, 255), payloads, st.binary(min_size=4, max_size=4))
loose = st.builds(masked, st.sampled_from([0x00, 0x01, 0x02, 0x80]), payloads)
bare = payloads.map(lambda payload: frames.frame(frames.TEXT, payload))
leaves = closes.map(lambda payload: masked(0x88, payload))
streams = st.lists(sound | fragments | loose | odd | bare | leaves, max_size=6)


@given(streams, st.binary(max_size=4), st.lists(st.integers(0, 1_000), max_size=8))
def test_frame_reader_agrees_with_the_library(
    payloads: list[bytes], noise: bytes, cuts: list[int]
) -> None:
    whole = b"".join(payloads) + noise
    ends = [0, *sorted(cut % (len(whole) + 1) for cut in cuts), len(whole)]
    pieces = [whole[a:b] for a, b in pairwise(ends)]
    frames_read, code = ours(pieces, 200)
    expected, expected_code = theirs(whole, 200)
    if expected_code is None and code is not None:
        assert frames_read == expected  # what cannot become a frame is refused before it is whole
    elif frames_read[-1:] and frames_read[-1][0] == frames.CLOSE:
        assert (
            expected[: len(frames_read)] == frames_read[: len(expected)]
        )  # also in the middle of a message
    elif (
        expected_code == 1009
        and frames_read[len(expected) :]
        and frames_read[len(expected)][0] >= frames.PING
    ):
        assert frames_read[: len(expected)] == expected  # the library counts pings to the message
    else:
        assert frames_read == expected
        assert code == expected_code or {code, expected_code} == {
            1002,
            1009,
        }  # a frame may be wrong twice


SIZES = (0, 1, 124, 125, 126, 127, 128, 65_534, 65_535, 65_536, 65_537)


@pytest.mark.parametrize("opcode", range(16))
def test_all_opcodes_and_lengths_in_fragments(opcode: int) -> None:
    for size, parts, step in product(SIZES, (1, 2, 3), (0, 1, 1000)):
        if step == 1 and size > 1000:
            continue
        cut = -(-size // parts)
        pieces = [bytes(size)[n * cut : (n + 1) * cut] for n in range(parts)]
        payloads = b"".join(
            masked((0x80 if n == parts - 1 else 0) | (0 if n else opcode), piece)
            for n, piece in enumerate(pieces)
        )
        sent = (
            [payloads]
            if not step
            else [payloads[n : n + step] for n in range(0, len(payloads), step)]
        )
        assert ours(sent)[1] == theirs(payloads)[1]
        assert ours(sent) == theirs(payloads) or opcode == frames.CLOSE


@given(st.binary(max_size=300) | st.sampled_from(SIZES).map(bytes), st.sampled_from([1, 9, 10]))
def test_client_library_reads_server_frames(payload: bytes, opcode: int) -> None:
    payload = payload if opcode == frames.TEXT else payload[:125]
    client = ClientProtocol(parse_uri("ws://here"), state=OPEN, max_size=MAX_SIZE)
    client.receive_data(frames.frame(opcode, payload))
    [heard] = client.events_received()
    assert isinstance(heard, Frame)
    assert (heard.opcode, bytes(heard.data)) == (opcode, payload)


@given(st.text(max_size=150))
def test_close_reason_is_cut_between_characters(why: str) -> None:
    client = ClientProtocol(parse_uri("ws://here"), state=OPEN)
    client.receive_data(frames.close_frame(4400, why))
    assert client.close_rcvd is not None
    assert client.close_rcvd.code == 4400
    assert why.startswith(client.close_rcvd.reason)
    assert client.close_rcvd.reason == why or len(client.close_rcvd.reason.encode()) > 119


def test_long_message_is_refused_at_its_header() -> None:
    head = b"\x81\xfe\x10\x01"  # of 4,097 bytes
    assert ours([head], 4096) == theirs(head, 4096) == ([], 1009)
    parts = masked(0x01, bytes(4000)) + masked(0x80, bytes(97))
    assert ours([parts], 4096) == theirs(parts, 4096) == ([], 1009)


def test_empty_fragments_take_no_memory() -> None:
    reader = FrameReader(4096)
    reader.feed(masked(0x01, b"") + masked(0x00, b"") * 1000)
    while reader.next():
        pass
    assert not reader.unread
    assert not reader._fragments  # noqa: SLF001 # what they would fill
