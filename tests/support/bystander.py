"""Another client, whose requests and moves are timed while someone attacks the server.

    with bystander(server) as other:  # it plays from now on, from an address of its own
        with other.undisturbed():  # first it measures its usual times
            attack(server)  # bounded, from another address: `ATTACKER` is one
    # fails if a request or a move took more than ten times as long as usual

It is a process of its own, so that the work of the attack in the test's process does not count.
Each round asks `/healthz` through a new connection, and plays a move through a WebSocket that
stays open. The server's limits for each address hold for it: it keeps below the usual ones.
"""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Thread
from typing import Any

from websockets.sync.client import ClientConnection, connect

BYSTANDER = "127.0.0.2"
"""The address of the bystander: on Linux all of 127.0.0.0/8 is this machine."""
ATTACKER = "127.0.0.3"
"""An address for attackers; 127.0.0.1 is trusted as a proxy, and so is treated differently."""
ROUNDS = 20
"""How many rounds the usual times are taken from."""
FLOOR = 0.04
"""Seconds below which a usual time is not trusted: ten times a few milliseconds is what the
scheduler of a busy machine takes now and then, without any attack."""
RATIO = 10.0
"""How many times as long as usual the worst may take."""
PACE = 0.08
"""Seconds from one round to the next, so that the limit for moves is kept."""
PATIENCE = 60.0
"""Seconds until an answer that never comes is given up."""
GAME = "island-conquest"


@dataclass(frozen=True)
class Round:
    """When a round began and ended, and what its request and its move took, in seconds."""

    began: float
    ended: float
    health: float
    move: float


class Bystander:
    """The rounds of the other client so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._queue: Queue[Round | str] = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._queue.put(Round(*json.loads(line)))
        assert self._process.stderr is not None
        self._queue.put(self._process.stderr.read())

    def next(self) -> Round:
        """Return the next round; fail if the other client could not go on."""
        try:
            found = self._queue.get(timeout=2 * PATIENCE)
        except Empty:
            raise AssertionError("The other client was not answered at all.") from None
        assert isinstance(found, Round), f"The other client could not go on:\n{found}"
        return found

    def after(self, moment: float) -> list[Round]:
        """Return the rounds up to the first one that began after a moment, and that one."""
        rounds = [self.next()]
        while rounds[-1].began < moment:
            rounds.append(self.next())
        return rounds

    def usual(self) -> tuple[float, float]:
        """Return the median time of a request and of a move, measured from now on."""
        self.after(time.monotonic())
        rounds = [self.next() for _ in range(ROUNDS)]
        return (
            statistics.median(one.health for one in rounds),
            statistics.median(one.move for one in rounds),
        )

    @contextmanager
    def undisturbed(self, ratio: float = RATIO, floor: float = FLOOR) -> Iterator[None]:
        """Measure, let the block attack, and fail if the other client was made to wait."""
        health, move = self.usual()
        began = time.monotonic()
        yield
        ended = time.monotonic()
        rounds = [one for one in self.after(ended) if one.ended > began and one.began < ended]
        assert rounds, "The attack was over before the other client could be disturbed."
        for what, usual, worst in (
            ("/healthz", health, max(one.health for one in rounds)),
            ("a move", move, max(one.move for one in rounds)),
        ):
            assert worst <= ratio * max(usual, floor), (
                f"{what} took {worst * 1000:.0f} ms during the attack of {ended - began:.1f} s,"
                f" and {usual * 1000:.1f} ms before it"
            )


@contextmanager
def bystander(server: Any, address: str = BYSTANDER) -> Iterator[Bystander]:  # noqa: ANN401 # all with a port
    """Let another client play at a server on this machine, until the block ends."""
    with subprocess.Popen(  # noqa: S603 # this very file
        [sys.executable, __file__, str(server.port), address],
        stdin=subprocess.PIPE,  # it ends when nobody holds the other end
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Bystander(process)
        finally:
            process.kill()


# The process of the other client ----------------------------------------------------------------


def _ask(port: int, address: str, method: str, path: str, body: object = None) -> bytes:
    """Send a request through a new connection, and return the answer."""
    line = http.client.HTTPConnection("127.0.0.1", port, PATIENCE, source_address=(address, 0))
    try:
        line.request(method, path, None if body is None else json.dumps(body))
        answer = line.getresponse()
        said = answer.read()
        assert answer.status < 300, f"{method} {path}: {answer.status} {said!r}"
        return said
    finally:
        line.close()


class _Play:
    """A game at one device, which is followed by another when it is over."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address = port, address
        self.socket: ClientConnection | None = None
        self.legal: list[str] = []
        self.turn = 0

    def begin(self) -> ClientConnection:
        wish = {"book": GAME, "mode": "device"}
        seated = json.loads(_ask(self.port, self.address, "POST", "/api/games", wish))
        url = f"ws://127.0.0.1:{self.port}/api/games/{seated['id']}/live"
        self.socket = connect(url, source_address=(self.address, 0), proxy=None)
        self.socket.send(json.dumps({"type": "hello", "secret": seated["secret"]}))
        self.wait_for("snapshot")
        return self.socket

    def wait_for(self, kind: str) -> None:
        """Wait for a message, and note what can be played now."""
        assert self.socket is not None
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            assert message["type"] != "refused", message
            if message["type"] == kind:
                self.turn = message["turn"]
                self.legal = message.get("view", {}).get("legal", [])
                return

    def move(self) -> float:
        """Play a move, and return the seconds until it was answered."""
        if not self.legal:
            if self.socket:
                self.socket.close()
            self.begin()
        assert self.socket is not None
        move = self.legal[self.turn % len(self.legal)]
        began = time.monotonic()
        message = {"type": "play", "move": move, "answers": self.turn}
        self.socket.send(json.dumps(message))
        self.wait_for("update")
        return time.monotonic() - began


def _main(port: int, address: str) -> None:
    play = _Play(port, address)
    play.begin()
    while True:
        began = time.monotonic()
        _ask(port, address, "GET", "/healthz")
        health = time.monotonic() - began
        move = play.move()
        ended = time.monotonic()
        sys.stdout.write(f"{json.dumps([began, ended, health, move])}\n")
        sys.stdout.flush()
        time.sleep(max(0.0, began + PACE - ended))


if __name__ == "__main__":
    Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()  # with its parent
    _main(int(sys.argv[1]), sys.argv[2])
