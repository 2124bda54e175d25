"""A second client that measures the work of the server during an attack.

    with second_client(server) as client:  # it plays from now on, from a separate address
        with client.assert_unaffected() as rounds:  # first it measures the usual work
            while rounds() < 10:  # it plays during the attack
                attack(server)  # from another address, such as `ATTACKER_ADDRESS`
    # fails if the server worked far more than usual before it answered a request or a move

Work is the processor time of the server. Unlike wall-clock time, it does not grow when other
programs use the processors. It grows if the server handles the attack before the second client.

The second client is a separate process, because the work of the attack in the test's process must
not count. Each round requests `/healthz` through a new connection, and plays a move through a
WebSocket that stays open. The second client stays below the server's usual limits for an address.
"""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING

from websockets.sync.client import ClientConnection, connect

if TYPE_CHECKING:
    from servers import Server

CLIENT_ADDRESS = "127.0.0.2"
"""The address of the second client: on Linux all of 127.0.0.0/8 is this machine."""
ATTACKER_ADDRESS = "127.0.0.3"
"""An address for attackers; the server trusts 127.0.0.1 as a proxy and treats it differently."""
BASELINE_ROUNDS = 20
"""The number of rounds in the measurement of the usual work."""
MAX_WORK_RATIO = 200
"""The maximum work before an answer, as a multiple of the usual work.

The usual work is that for one request; the server answers a thousand requests a second.
"""
ROUND_SECONDS = 0.08
"""The time between the starts of two rounds, which keeps below the limit for moves."""
CLIENT_TIMEOUT_SECONDS = 60.0
"""The timeout of an answer."""
GAME = "island-conquest"


@dataclass(frozen=True)
class Wait:
    """The measurements of a wait for an answer, in seconds."""

    work: float
    """The processor time of the server."""
    late: float
    """The time that the second client waited for a processor; the server may have worked then."""


@dataclass(frozen=True)
class Round:
    """The start and end of a round, and the waits for its request and its move."""

    began: float
    ended: float
    health: Wait
    move: Wait


class SecondClient:
    """The rounds of the second client so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._queue: Queue[Round | str] = Queue()
        self._last = 0
        """The number of the last round."""
        self._failed = False
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            began, ended, health, move = json.loads(line)
            self._queue.put(Round(began, ended, Wait(*health), Wait(*move)))
            self._last += 1
        assert self._process.stderr is not None
        self._queue.put(self._process.stderr.read())
        self._failed = True

    def next(self) -> Round:
        """Return the next round; fail if the second client could not continue."""
        try:
            result = self._queue.get(timeout=2 * CLIENT_TIMEOUT_SECONDS)
        except Empty:
            raise AssertionError("The second client received no answer.") from None
        assert isinstance(result, Round), f"The second client failed:\n{result}"
        return result

    def rounds_after(self, moment: float) -> list[Round]:
        """Return the rounds up to and including the first one that began after a moment."""
        rounds = [self.next()]
        while rounds[-1].began < moment:
            rounds.append(self.next())
        return rounds

    def baseline(self) -> tuple[float, float]:
        """Return the median work for a request and for a move, measured from now on."""
        self.rounds_after(time.monotonic())
        rounds = [self.next() for _ in range(BASELINE_ROUNDS)]
        return (
            statistics.median(round_.health.work for round_ in rounds),
            statistics.median(round_.move.work for round_ in rounds),
        )

    @contextmanager
    def assert_unaffected(self, ratio: float = MAX_WORK_RATIO) -> Iterator[Callable[[], int]]:
        """Measure the usual work, run the attack in the block, and fail if the work grew too much.

        The block gets a function that returns the number of rounds since its start.
        """
        health, move = self.baseline()
        began, first = time.monotonic(), self._last

        def rounds_so_far() -> int:
            if self._failed:
                self.rounds_after(time.monotonic())  # raises the reason
            assert time.monotonic() < began + CLIENT_TIMEOUT_SECONDS, (
                "The second client makes hardly any progress."
            )
            return self._last - first

        yield rounds_so_far
        ended = time.monotonic()
        rounds = [
            round_
            for round_ in self.rounds_after(ended)
            if round_.ended > began and round_.began < ended
        ]
        assert rounds, "The attack was over before the second client played a round."
        for request, usual, waits in (
            ("/healthz", health, [round_.health for round_ in rounds]),
            ("a move", move, [round_.move for round_ in rounds]),
        ):
            worst = max(wait.work - wait.late for wait in waits)
            assert worst <= ratio * usual, (
                f"The server worked for {worst * 1000:.0f} ms before it answered {request} during"
                f" the attack of {ended - began:.1f} s, and for {usual * 1000:.1f} ms before it"
            )


@contextmanager
def second_client(server: Server, address: str = CLIENT_ADDRESS) -> Iterator[SecondClient]:
    """Run a second client at a server on this machine until the block ends."""
    assert server.process is not None, "it does not run"
    with subprocess.Popen(  # noqa: S603 # this very file
        [sys.executable, __file__, str(server.port), address, str(server.process.pid)],
        stdin=subprocess.PIPE,  # the process ends when this pipe closes
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield SecondClient(process)
        finally:
            process.kill()


# The process of the second client ----------------------------------------------------------------


def _request(port: int, address: str, method: str, path: str, data: object = None) -> bytes:
    """Send a request through a new connection, and return the answer."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", port, CLIENT_TIMEOUT_SECONDS, source_address=(address, 0)
    )
    try:
        connection.request(method, path, None if data is None else json.dumps(data))
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status < 300, f"{method} {path}: {answer.status} {body!r}"
        return body
    finally:
        connection.close()


class _Meter:
    """Measures waits for a server."""

    def __init__(self, server: int) -> None:
        self._clock = (~server << 3) | 2  # Linux's number for the processor time of a process

    def wait(self, function: Callable[[], object]) -> tuple[float, float]:
        """Call a function that waits for the server; return the values of a `Wait`."""
        work, late = time.clock_gettime(self._clock), self._late()
        function()
        return time.clock_gettime(self._clock) - work, self._late() - late

    def _late(self) -> float:
        """Return the time for which this thread was ready but waited for a processor."""
        try:
            return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
        except FileNotFoundError:  # the system does not count it
            return 0.0


class _Play:
    """A game at one device; the next one starts when it is over."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address = port, address
        self.socket: ClientConnection | None = None
        self.legal: list[str] = []
        self.turn = 0

    def begin(self) -> ClientConnection:
        wish = {"book": GAME, "mode": "device"}
        seated = json.loads(_request(self.port, self.address, "POST", "/api/games", wish))
        url = f"ws://127.0.0.1:{self.port}/api/games/{seated['id']}/live"
        self.socket = connect(url, source_address=(self.address, 0), proxy=None)
        self.socket.send(json.dumps({"type": "hello", "secret": seated["secret"]}))
        self.wait_for("snapshot")
        return self.socket

    def wait_for(self, kind: str) -> None:
        """Wait for a message of this kind, and store its turn and legal moves."""
        assert self.socket is not None
        while True:
            message = json.loads(self.socket.recv(CLIENT_TIMEOUT_SECONDS))
            assert message["type"] != "refused", message
            if message["type"] == kind:
                self.turn = message["turn"]
                self.legal = message.get("view", {}).get("legal", [])
                return

    def prepare(self) -> None:
        """Start another game if this one is over."""
        if not self.legal:
            if self.socket:
                self.socket.close()
            self.begin()

    def move(self) -> None:
        """Play a move, and wait for the answer."""
        assert self.socket is not None
        move = self.legal[self.turn % len(self.legal)]
        message = {"type": "play", "move": move, "answers": self.turn}
        self.socket.send(json.dumps(message))
        self.wait_for("update")


def _main(port: int, address: str, server: int) -> None:
    play, meter = _Play(port, address), _Meter(server)
    while True:
        play.prepare()
        began = time.monotonic()
        health = meter.wait(lambda: _request(port, address, "GET", "/healthz"))
        move = meter.wait(play.move)
        ended = time.monotonic()
        sys.stdout.write(f"{json.dumps([began, ended, health, move])}\n")
        sys.stdout.flush()
        time.sleep(max(0.0, began + ROUND_SECONDS - ended))


if __name__ == "__main__":
    Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()  # with its parent
    _main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
