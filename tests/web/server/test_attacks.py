"""One client, one address, no secret: whatever it tries, the others do not wait."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import pytest

from online import UNLIMITED, begin
from raw_connections import (
    CLOSE,
    PING,
    PONG,
    TEXT,
    RawConnection,
    frame,
    open_connections,
    unused_address,
)
from second_client import SecondClient, second_client
from servers import TIMEOUT_SECONDS, Server, running, wait_until

pytestmark = [pytest.mark.integration]
HELLO = frame(TEXT, b'{"type": "hello"}')


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with its usual limits."""
    with running(Server(tmp_path_factory.mktemp("server"))) as server:
        yield server


@pytest.fixture
def other(server: Server) -> Iterator[SecondClient]:
    """Someone who plays there, no longer than needed: there is a limit for new games too."""
    with second_client(server) as other:
        yield other


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with short time limits, and no others."""
    options = (*UNLIMITED, "--timeout", "0.4", "--ping", "0.4")
    with running(Server(tmp_path_factory.mktemp("hasty"), *options)) as server:
        yield server


@pytest.fixture(scope="module")
def game(server: Server) -> str:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        return str(begin(http)["id"])


@pytest.fixture(scope="module")
def hasty_game(hasty: Server) -> str:
    with httpx.Client(base_url=hasty.url, timeout=TIMEOUT_SECONDS) as http:
        return str(begin(http)["id"])


# Requests ---------------------------------------------------------------------------------------


def test_request_flood_does_not_slow_others(server: Server, other: SecondClient) -> None:
    request = b"GET /api/books HTTP/1.1\r\nHost: here\r\n\r\n"
    with open_connections(server, 20) as opened, other.assert_unaffected():
        floods = [
            Thread(target=connection.flood, args=(request * 100, 2.0)) for connection in opened
        ]
        for flood in floods:
            flood.start()
        for flood in floods:
            flood.join()
        answers = [
            re.findall(rb"HTTP/1.1 (\d+)", connection.socket.recv(9_999_999))
            for connection in opened
        ]
    counts = Counter(status for statuses in answers for status in statuses)
    assert counts[b"200"] < 150
    assert counts[b"429"]


def test_handshakes_count_as_requests(server: Server, game: str) -> None:
    address, statuses = unused_address(), []
    for _ in range(60):
        wire = RawConnection(server, address)
        statuses.append(wire.upgrade(game))
        wire.socket.close()
    assert statuses[0] == 101
    assert 429 in statuses


# Connections ------------------------------------------------------------------------------------

HALVES = {
    "nothing": b"",
    "half a line": b"GET /api/bo",
    "half the headers": b"GET /api/books HTTP/1.1\r\nHost: here\r\n",
    "half a body": b"POST /api/games HTTP/1.1\r\nHost: here\r\nContent-Length: 99\r\n\r\n{",
}


def test_address_has_a_maximum_of_connections(server: Server, other: SecondClient) -> None:
    # A refused connection costs no more than a request, and this is the maximum that can wait.
    with other.assert_unaffected(300 + 80) as rounds, open_connections(server, 300) as opened:
        while rounds() < 10:  # neither those that stay nor those that go
            with open_connections(server, 79, opened[0].address):
                pass
            with open_connections(server, 1, opened[0].address) as [last]:
                last.read_to_end()  # it is refused after all before it
        wait_until(
            lambda: sum(not connection.has_ended() for connection in opened) <= 80,
            lambda: "All the connections stay open.",
        )
        with open_connections(server) as [elsewhere]:  # those of others are not counted with them
            assert b"200 OK" in elsewhere.send(_ask("/healthz")).read_until(b"\r\n\r\n")


def test_incomplete_request_is_aborted(hasty: Server) -> None:
    with open_connections(hasty, 1 + len(HALVES)) as [second, *opened]:
        second.send(_ask("/healthz")).read_until(b"ok\n")
        left = dict(zip(HALVES, opened, strict=True)) | {"half of the next": second}
        for name, connection in left.items():
            connection.send(HALVES.get(name, b"GET /health"))

        def all_ended() -> bool:
            for name in [name for name, connection in left.items() if connection.has_ended()]:
                del left[name]
            return not left

        wait_until(all_ended, lambda: f"Still there: {list(left)}")


def test_client_that_does_not_read_is_aborted(hasty: Server) -> None:
    with open_connections(hasty) as [connection]:
        connection.flood(_ask("/api/schema.json") * 50, 20.0)  # as long as it is read
        assert connection.has_ended()


def _ask(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode()


# WebSockets -------------------------------------------------------------------------------------


def test_all_frames_count_toward_the_rate_limit(
    server: Server, game: str, other: SecondClient
) -> None:
    kinds = {
        "pings": frame(PING, b"x" * 125),
        "pongs": frame(PONG),
        "empty fragments": frame(0x01) + frame(0x00) * 50_000,
        "messages": frame(TEXT, b'{"type": "ping"}'),
        "noise": frame(TEXT, b"?"),
    }
    with open_connections(server, len(kinds)) as opened:
        for connection in opened:
            assert connection.upgrade(game) == 101
            connection.send(HELLO)
        with other.assert_unaffected():
            floods = [
                Thread(target=connection.flood, args=(kind * (1 + 65_536 // len(kind)), 2.0))
                for connection, kind in zip(opened, kinds.values(), strict=True)
            ]
            for flood in floods:
                flood.start()
            for flood in floods:
                flood.join()
        answered = opened[1].socket.recv(1_000_000), opened[0].socket.recv(1_000_000)
        assert len(answered[1]) < 200 * 130


def test_unread_answers_do_not_fill_memory(hasty: Server, hasty_game: str) -> None:
    assert hasty.process is not None
    with open_connections(hasty) as [connection]:
        connection.upgrade(hasty_game)
        connection.send(HELLO)
        before = memory(hasty.process.pid)
        sent = connection.flood(frame(PING, b"x" * 125) * 500, 20.0)
        assert connection.has_ended()
        assert sent < 57_000_000
        assert memory(hasty.process.pid) - before < 20_000_000


def test_missed_ping_closes_the_connection(hasty: Server, hasty_game: str) -> None:
    half = frame(TEXT, b'{"type": "ping"}')[:-5]
    forged = frame(PONG, b"\0\0\0\0") * 3
    with open_connections(hasty, 3) as opened:
        for connection, data in zip(opened, (b"", half, forged), strict=True):
            connection.upgrade(hasty_game)
            connection.send(HELLO)
            connection.send(data)
        wait_until(
            lambda: all(connection.has_ended() for connection in opened),
            lambda: "One is still there.",
        )


def test_answered_pings_keep_the_connection(hasty: Server, hasty_game: str) -> None:
    with open_connections(hasty) as [connection]:
        connection.upgrade(hasty_game)
        connection.send(HELLO)
        for _ in range(3):
            connection.read_until(bytes((PING, 4)))
            while len(connection.unread) < 4:
                connection.unread += connection.socket.recv(4)
            connection.send(frame(PONG, connection.unread[:4]))
            connection.unread = connection.unread[4:]
        connection.send(frame(CLOSE, b"\x03\xe8"))
        assert connection.close_code() == 1000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(TEXT, b"{}", masked=False), 1002),
        (frame(TEXT | 0x40, b"{}"), 1002),
        (frame(TEXT | 0x10, b"{}"), 1002),
        (frame(0x83, b"{}"), 1002),
        (frame(0x8B, b"{}"), 1002),
        (frame(0x80, b"{}"), 1002),
        (frame(0x01, b"{") + frame(TEXT, b"}"), 1002),
        (frame(0x09, b"fragment"), 1002),
        (frame(PING, b"x" * 126), 1002),
        (frame(CLOSE, b"\x03"), 1002),
        (frame(CLOSE, b"\x03\xed"), 1002),
        (frame(CLOSE, b"\x03\xe8\xff"), 1007),
        (frame(TEXT, b'"\xff"'), 1007),
        (frame(0x01, b'"\xc3') + frame(0x80, b'"'), 1007),
        (frame(TEXT, b" " * 4_097), 1009),
        (frame(0x01, b" " * 4_000) + frame(0x80, b" " * 97), 1009),
        (b"\x81\xff" + b"\xff" * 8, 1009),
        (frame(CLOSE), 1005),
        (frame(CLOSE, b"\x0f\xa0bye"), 4000),
    ],
)
def test_protocol_violation_is_explained(
    hasty: Server, hasty_game: str, data: bytes, code: int
) -> None:
    with open_connections(hasty) as [connection]:
        connection.upgrade(hasty_game)
        connection.send(HELLO).send(data)
        assert connection.close_code() == code


def test_message_may_arrive_with_the_handshake_and_in_fragments(server: Server, game: str) -> None:
    data = frame(0x01, b'{"type":') + frame(PING, b"?") + frame(0x00) + frame(0x80, b' "hello"}')
    with open_connections(server) as [connection]:
        connection.upgrade(game)
        for at in range(len(data)):
            connection.send(data[at : at + 1])
        connection.read_until(b'"type":"snapshot"')


# Proxies ----------------------------------------------------------------------------------------


def test_clients_behind_a_proxy_are_counted_separately(server: Server, game: str) -> None:
    opened: list[RawConnection] = []
    try:
        for number in range(50):
            opened.append(RawConnection(server, "127.0.0.1"))
            opened[-1].upgrade(game, X_Forwarded_For=f"192.0.2.{1 + number}")
        assert not any(connection.has_ended() for connection in opened)
        for _ in range(41):
            opened.append(RawConnection(server, "127.0.0.1"))
            status = opened[-1].upgrade(game, X_Forwarded_For="192.0.2.99")
        assert status in (101, 429)
        assert status == 429 or opened[-1].close_code() == 4429
    finally:
        for connection in opened:
            connection.socket.close()


def memory(pid: int) -> int:
    """Return the bytes that a process has in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(status.partition("VmRSS:")[2].split()[0])
