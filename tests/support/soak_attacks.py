"""Attacks of a soak: programs at one address, without a seat, that try to overload a server.

    attack("pongs", server.port, game, seconds=5)

Each attack is a separate process. It ends after some seconds, and limits the number of its
connections. If the server refuses it, it tries again until its time is over.
"""

from __future__ import annotations

import http.client
import json
import random
import resource
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from threading import Thread
from typing import Any

from raw_connections import PING, PONG, TEXT, RawConnection, frame
from second_client import ATTACKER_ADDRESS

REFUSALS = (OSError, http.client.HTTPException, ValueError, AssertionError)
"""The errors of an attempt that the server refuses."""
HELLO = frame(TEXT, b'{"type": "hello"}')
SILENT_CONNECTIONS, HALF_REQUESTS, SPECTATORS, THREADS = 1_100, 300, 30, 4
LONG_GAME_MOVES = 1_990
"""The number of moves of the costly game; the maximum is 2,000."""
ENDLESS_MOVES = ("fortify", "attack 1", "defend 1")
"""The moves with which two players of Token Tactics avoid its end."""


@dataclass(frozen=True)
class Target:
    """A server, a current game on it, and the end of the attack."""

    port: int
    game: str
    address: str
    until: float

    def has_time(self) -> bool:
        """Return whether there is time left."""
        return time.monotonic() < self.until

    def connect(self, receives: int | None = None) -> RawConnection:
        """Open a connection; `receives` limits its receive buffer."""
        connection = RawConnection(self, self.address)
        connection.socket.settimeout(2)
        if receives:
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        return connection

    def watch(self, hello: bytes = HELLO, receives: int | None = None) -> RawConnection:
        """Open a WebSocket to the game, and send `hello`."""
        connection = self.connect(receives)
        status = connection.upgrade(self.game)
        if status != 101:
            connection.socket.close()
            raise ConnectionRefusedError(status)
        return connection.send(hello)

    def request(self, method: str, path: str, body: object = None, secret: str = "") -> Any:  # noqa: ANN401 # JSON
        """Send a request, and return the answer."""
        http_connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, 10, source_address=(self.address, 0)
        )
        try:
            headers = {"Authorization": f"Bearer {secret}"} if secret else {}
            http_connection.request(
                method, path, None if body is None else json.dumps(body), headers
            )
            answer = http_connection.getresponse()
            text = answer.read()
            if answer.status >= 300:
                raise ConnectionRefusedError(text[:100])
            return json.loads(text)
        finally:
            http_connection.close()

    def repeat_in_threads(self, work: Callable[[], None]) -> None:
        """Repeat work until the time is over, in several threads at once."""
        threads = [Thread(target=self.repeat, args=(work,)) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def repeat(self, work: Callable[[], None]) -> None:
        """Repeat work until the time is over, also after a failure."""
        while self.has_time():
            try:
                work()
            except REFUSALS:
                time.sleep(0.01)

    def hold(self, opened: Callable[[], RawConnection], count: int) -> None:
        """Open many connections, and hold them open until the time is over."""
        with ExitStack() as stack:
            for _ in range(count):
                if not self.has_time():
                    return
                with suppress(*REFUSALS):
                    stack.enter_context(opened().socket)
            time.sleep(max(0.0, self.until - time.monotonic()))


# The attacks ------------------------------------------------------------------------------------


def pongs(target: Target) -> None:
    """Send empty, unsolicited pongs."""
    _flood(target, frame(PONG) * 1_000)


def fragments(target: Target) -> None:
    """Send an endless message in empty fragments."""
    _flood(target, frame(0x00) * 1_000, first=frame(0x01))


def unread_pings(target: Target) -> None:
    """Send large pings, and read none of the answers."""
    _flood(target, frame(PING, b"x" * 125) * 500, receives=4_096)


def _flood(target: Target, data: bytes, first: bytes = b"", receives: int | None = None) -> None:
    def flood() -> None:
        connection = target.watch(receives=receives)
        with connection.socket:
            connection.send(first).flood(data, target.until - time.monotonic())

    target.repeat(flood)


def silence(target: Target) -> None:
    """Open connections, and send nothing."""
    target.hold(target.connect, SILENT_CONNECTIONS)


def half_requests(target: Target) -> None:
    """Send the beginning of many requests."""
    beginnings = (
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-",
        b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    )

    target.hold(lambda: target.connect().send(random.choice(beginnings)), HALF_REQUESTS)


def slow_readers(target: Target) -> None:
    """Watch a game through connections, and never read from them."""
    target.hold(lambda: target.watch(receives=2_048), SPECTATORS)


def handshakes(target: Target) -> None:
    """Open WebSockets, and leave before hello."""

    def leave() -> None:
        target.watch(hello=b"").socket.close()

    target.repeat_in_threads(leave)


def presence(target: Target) -> None:
    """Enter a game and leave it repeatedly."""

    def leave() -> None:
        target.watch().socket.close()

    target.repeat_in_threads(leave)


def requests(target: Target) -> None:
    """Ask for pages as fast as possible."""
    pages = ["/api/books", f"/api/games/{target.game}", f"/api/games/{target.game}/steps"]
    target.repeat_in_threads(lambda: target.request("GET", random.choice(pages)))


def unknown_games(target: Target) -> None:
    """Ask for games that do not exist."""
    target.repeat_in_threads(
        lambda: target.request("GET", f"/api/games/{secrets.token_urlsafe(12)}")
    )


def costly_requests(target: Target) -> None:
    """Send all costly requests about one of the longest possible games."""
    seated = target.request("POST", "/api/games", {"save": _long_game(), "mode": "device"})
    url = f"/api/games/{seated['id']}"
    _resign(target, url, seated["secret"])
    pages = [url, f"{url}/steps", f"{url}/save", f"{url}/analysis"]
    target.repeat_in_threads(lambda: target.request("GET", random.choice(pages)))


def analyses(target: Target) -> None:
    """Start games, resign them, and request the analysis of each."""

    def analyse() -> None:
        book = random.choice(["galaxy-conquest", "island-conquest", "capture-and-conquer"])
        seated = target.request("POST", "/api/games", {"book": book, "mode": "device"})
        url = f"/api/games/{seated['id']}"
        _resign(target, url, seated["secret"])
        for _ in range(5):
            target.request("GET", f"{url}/analysis")

    target.repeat_in_threads(analyse)


def help_flips(target: Target) -> None:
    """Allow help in its own game, ask for a hint and forbid help, repeatedly."""
    seated = target.request("POST", "/api/games", {"book": "galaxy-conquest", "mode": "device"})
    own_game = replace(target, game=seated["id"])
    hello = frame(TEXT, json.dumps({"type": "hello", "secret": seated["secret"]}).encode())
    kinds = '{"type": "help", "on": true}', '{"type": "hint"}', '{"type": "help", "on": false}'

    def flip() -> None:
        connection = own_game.watch(hello)
        with connection.socket:
            while target.has_time():
                for kind in kinds:
                    connection.send(frame(TEXT, kind.encode()))
                    if not connection.socket.recv(65_536):
                        return

    target.repeat_in_threads(flip)


def _resign(target: Target, game: str, secret: str) -> None:
    turn = target.request("GET", game)["turn"]
    target.request("POST", f"{game}/commands", {"type": "resign", "answers": turn}, secret)


def _long_game() -> str:
    """Return the save file of a long game in which the players avoid the end."""
    from duelbook import Match
    from duelbook.catalog.registry import find
    from duelbook.play import saves
    from duelbook.play.series import Series

    match = Match.begin(find("token-tactics"))
    while len(match.moves) < LONG_GAME_MOVES:
        legal = match.position.moves()
        match = match.play(next(move for move in ENDLESS_MOVES if move in legal))
    return saves.text(Series((match,), ("A", "B"), started="2026-01-01T00:00:00Z"))


ATTACKS: dict[str, Callable[[Target], None]] = {
    attack.__name__: attack
    for attack in (
        *(pongs, fragments, unread_pings, silence, half_requests, slow_readers, handshakes),
        *(presence, requests, unknown_games, costly_requests, analyses, help_flips),
    )
}


def attack(name: str, port: int, game: str, seconds: float) -> None:
    """Attack a server for some seconds, in a separate process."""
    command = [sys.executable, __file__, name, str(port), game, str(seconds)]
    subprocess.run(command, check=True, timeout=seconds + 60)  # noqa: S603 # this very file


def _main(name: str, port: int, game: str, seconds: float) -> None:
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with suppress(*REFUSALS):  # the server may refuse even the first request
        ATTACKS[name](Target(port, game, ATTACKER_ADDRESS, time.monotonic() + seconds))


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
