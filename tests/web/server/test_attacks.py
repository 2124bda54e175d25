"""One client, one address, no secret: whatever it tries, the others do not wait."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import pytest

from attackers import CLOSE, PING, PONG, TEXT, Wire, another_address, frame, wires
from bystander import Bystander, bystander
from online import UNLIMITED, begin
from servers import TIMEOUT_SECONDS, Server, running, wait_until

pytestmark = [pytest.mark.slow]
HELLO = frame(TEXT, b'{"type": "hello"}')


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with its usual limits."""
    with running(Server(tmp_path_factory.mktemp("server"))) as server:
        yield server


@pytest.fixture
def other(server: Server) -> Iterator[Bystander]:
    """Someone who plays there, no longer than needed: there is a limit for new games too."""
    with bystander(server) as other:
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


def test_someone_who_asks_too_often_disturbs_nobody(server: Server, other: Bystander) -> None:
    asked = b"GET /api/books HTTP/1.1\r\nHost: here\r\n\r\n"
    with wires(server, 20) as opened, other.undisturbed():
        floods = [Thread(target=one.flood, args=(asked * 100, 2.0)) for one in opened]
        for one in floods:
            one.start()
        for one in floods:
            one.join()
        answers = [re.findall(rb"HTTP/1.1 (\d+)", one.socket.recv(9_999_999)) for one in opened]
    counts = Counter(status for found in answers for status in found)
    assert counts[b"200"] < 150
    assert counts[b"429"]


def test_handshakes_count_as_requests(server: Server, game: str) -> None:
    address, statuses = another_address(), []
    for _ in range(60):
        wire = Wire(server, address)
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


def test_an_address_has_only_so_many_connections(server: Server, other: Bystander) -> None:
    # A refused connection costs no more than a request, and this is the maximum that can wait.
    with other.undisturbed(300 + 80) as rounds, wires(server, 300) as opened:
        while rounds() < 10:  # neither those that stay nor those that go
            with wires(server, 79, opened[0].address):
                pass
            with wires(server, 1, opened[0].address) as [last]:
                last.rest()  # it is refused after all before it
        wait_until(
            lambda: sum(not one.has_ended() for one in opened) <= 80,
            lambda: "All the connections stay open.",
        )
        with wires(server) as [elsewhere]:  # those of others are not counted with them
            assert b"200 OK" in elsewhere.say(_ask("/healthz")).until(b"\r\n\r\n")


def test_whoever_says_only_half_of_it_is_cut_off(hasty: Server) -> None:
    with wires(hasty, 1 + len(HALVES)) as [second, *opened]:
        second.say(_ask("/healthz")).until(b"ok\n")
        left = dict(zip(HALVES, opened, strict=True)) | {"half of the next": second}
        for what, one in left.items():
            one.say(HALVES.get(what, b"GET /health"))

        def all_ended() -> bool:
            for what in [what for what, one in left.items() if one.has_ended()]:
                del left[what]
            return not left

        wait_until(all_ended, lambda: f"Still there: {list(left)}")


def test_whoever_does_not_read_the_answers_is_cut_off(hasty: Server) -> None:
    with wires(hasty) as [one]:
        one.flood(_ask("/api/schema.json") * 50, 20.0)  # as long as it is read
        assert one.has_ended()


def _ask(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode()


# WebSockets -------------------------------------------------------------------------------------


def test_frames_that_are_no_messages_count(server: Server, game: str, other: Bystander) -> None:
    kinds = {
        "pings": frame(PING, b"x" * 125),
        "pongs": frame(PONG),
        "empty fragments": frame(0x01) + frame(0x00) * 50_000,
        "messages": frame(TEXT, b'{"type": "ping"}'),
        "noise": frame(TEXT, b"?"),
    }
    with wires(server, len(kinds)) as opened:
        for one in opened:
            assert one.upgrade(game) == 101
            one.say(HELLO)
        with other.undisturbed():
            floods = [
                Thread(target=one.flood, args=(kind * (1 + 65_536 // len(kind)), 2.0))
                for one, kind in zip(opened, kinds.values(), strict=True)
            ]
            for flood in floods:
                flood.start()
            for flood in floods:
                flood.join()
        answered = opened[1].socket.recv(1_000_000), opened[0].socket.recv(1_000_000)
        assert len(answered[1]) < 200 * 130


def test_answers_that_nobody_reads_do_not_pile_up(hasty: Server, hasty_game: str) -> None:
    assert hasty.process is not None
    with wires(hasty) as [one]:
        one.upgrade(hasty_game)
        one.say(HELLO)
        before = memory(hasty.process.pid)
        sent = one.flood(frame(PING, b"x" * 125) * 500, 20.0)
        assert one.has_ended()
        assert sent < 57_000_000
        assert memory(hasty.process.pid) - before < 20_000_000


def test_whoever_misses_a_ping_is_cut_off(hasty: Server, hasty_game: str) -> None:
    half = frame(TEXT, b'{"type": "ping"}')[:-5]
    forged = frame(PONG, b"\0\0\0\0") * 3
    with wires(hasty, 3) as opened:
        for one, said in zip(opened, (b"", half, forged), strict=True):
            one.upgrade(hasty_game)
            one.say(HELLO)
            one.say(said)
        wait_until(lambda: all(one.has_ended() for one in opened), lambda: "One is still there.")


def test_whoever_answers_every_ping_stays(hasty: Server, hasty_game: str) -> None:
    with wires(hasty) as [one]:
        one.upgrade(hasty_game)
        one.say(HELLO)
        for _ in range(3):
            one.until(bytes((PING, 4)))
            while len(one.unread) < 4:
                one.unread += one.socket.recv(4)
            one.say(frame(PONG, one.unread[:4]))
            one.unread = one.unread[4:]
        one.say(frame(CLOSE, b"\x03\xe8"))
        assert one.close_code() == 1000


@pytest.mark.parametrize(
    ("said", "code"),
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
def test_whoever_breaks_the_protocol_is_told_which_rule(
    hasty: Server, hasty_game: str, said: bytes, code: int
) -> None:
    with wires(hasty) as [one]:
        one.upgrade(hasty_game)
        one.say(HELLO).say(said)
        assert one.close_code() == code


def test_a_message_may_come_with_the_handshake_and_in_pieces(server: Server, game: str) -> None:
    said = frame(0x01, b'{"type":') + frame(PING, b"?") + frame(0x00) + frame(0x80, b' "hello"}')
    with wires(server) as [one]:
        one.upgrade(game)
        for at in range(len(said)):
            one.say(said[at : at + 1])
        one.until(b'"type":"snapshot"')


# Proxies ----------------------------------------------------------------------------------------


def test_clients_behind_a_proxy_are_counted_each_for_itself(server: Server, game: str) -> None:
    opened: list[Wire] = []
    try:
        for number in range(50):
            opened.append(Wire(server, "127.0.0.1"))
            opened[-1].upgrade(game, X_Forwarded_For=f"192.0.2.{1 + number}")
        assert not any(one.has_ended() for one in opened)
        for _ in range(41):
            opened.append(Wire(server, "127.0.0.1"))
            status = opened[-1].upgrade(game, X_Forwarded_For="192.0.2.99")
        assert status in (101, 429)
        assert status == 429 or opened[-1].close_code() == 4429
    finally:
        for one in opened:
            one.socket.close()


def memory(pid: int) -> int:
    """Return the bytes that a process has in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(status.partition("VmRSS:")[2].split()[0])
