"""Every line of the log is one JSON object, and nobody's mistake costs a trace."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from online import UNLIMITED, Data, begin, live
from servers import TIMEOUT_SECONDS, Server, running, wait_until

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

NOISY = """
import warnings
from dataclasses import dataclass, replace
from duelbook.position import Position

@dataclass(frozen=True, slots=True)
class Noisy(Position):
    title = "Noisy"
    ACTIONS = ("add 1", "add 2")
    RANGES = {"total": range(9)}
    total: int = 0

    def moves(self):
        return [] if self.total >= 7 else list(self.ACTIONS)

    def apply(self, move):
        print(f"someone plays\\n{move}")
        warnings.warn("this is odd", stacklevel=1)
        return replace(self, total=self.total + int(move[-1]), to_move=1 - self.to_move)

    def winner(self):
        return 1 - self.to_move if self.total >= 7 else None
"""
ODDITIES = """
import asyncio, gc, logging, sys, threading, warnings
from duelbook.system import json_logs as logs

class Odd:
    def __del__(self):
        raise ValueError("in a finalizer")

async def fail():
    raise ValueError("in a task")

async def main():
    task = asyncio.create_task(fail())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task
    gc.collect()
    asyncio.get_running_loop().call_exception_handler({"message": "in a callback"})

logs.capture_output()
warnings.warn("of the warnings module", ResourceWarning)
logging.getLogger("some.library").error("of a library: %s", "two\\nlines\\u2028")
logs.log("not JSON", fact=object(), name="\\ud800")
threading.Thread(target=lambda: 1 / 0).start()
Odd()
asyncio.run(main())
print("printed", "to", "stdout")
print("printed\\n", file=sys.stderr, flush=True)
raise LookupError("at the end")
"""


def lines(output: str) -> list[Data]:
    """Return the lines of a log, each of which must be an object."""
    parsed = [json.loads(line) for line in output.splitlines()]
    assert all({"time", "level", "said"} <= line.keys() for line in parsed)
    return parsed


def test_all_python_output_is_logged_as_json() -> None:
    done = subprocess.run(  # noqa: S603 # the code above
        [sys.executable, "-W", "always", "-c", ODDITIES],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ""
    logged = json.dumps(lines(done.stderr))
    for text in (
        *("of the warnings module", "of a library", "not JSON", "ZeroDivisionError"),
        *("in a finalizer", "in a task", "in a callback", "printed to stdout", "at the end"),
    ):
        assert text in logged
    assert done.returncode == 1


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("logs")
    (folder / "noisy.py").write_text(NOISY, encoding="utf-8")
    with running(Server(folder, *UNLIMITED, "--game", str(folder / "noisy.py"))) as server:
        yield server


async def test_output_of_games_is_logged_as_json(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        seat = begin(http, "noisy", mode="computer", seat=1, level="easy")
    async with live(server, seat["id"], seat["secret"]) as client:
        while not client.moves:
            await client.receive()
        await client.play("add 1")
    wait_until(lambda: "someone plays" in server.log_text(), server.log_text)
    assert {"printed", "starting"} <= {line["said"] for line in lines(server.log_text())}


GAME = b"GET /api/games/AAAAAAAAAAAAAAAAAAAAAA/live HTTP/1.1\r\nHost: x\r\n"
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
KEY = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
MISTAKES = {
    "nothing": b"",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n",
    "half a request": b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{",
    "a wrong length": b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n{",
    "two lengths": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "a wrong chunk": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "long headers": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
    "an odd path": b"GET /\xff\xfe%00%zz HTTP/1.1\r\nHost: x\r\n\r\n",
    "no key": GAME + UPGRADE + b"\r\n",
    "a wrong key": GAME + UPGRADE + KEY.replace(b"A", b"!") + b"\r\n",
    "an old version": GAME + UPGRADE + KEY.replace(b"13", b"8") + b"\r\n",
    "no mask": GAME + UPGRADE + KEY + b"\r\n" + b"\x81\x02hi",
    "an unknown frame": GAME + UPGRADE + KEY + b"\r\n" + b"\x83\x80\0\0\0\0",
    "a long ping": GAME + UPGRADE + KEY + b"\r\n" + b"\x89\xfe\x01\x00\0\0\0\0" + bytes(256),
    "a huge frame": GAME + UPGRADE + KEY + b"\r\n" + b"\x81\xff" + b"\x7f" * 8 + b"\0\0\0\0",
    "no UTF-8": GAME + UPGRADE + KEY + b"\r\n" + b"\x81\x82\0\0\0\0\xff\xff",
    "half a frame": GAME + UPGRADE + KEY + b"\r\n" + b"\x81\x85\0\0",
    "no message": GAME + UPGRADE + KEY + b"\r\n" + b"\x81\x82\0\0\0\0{}",
}


@pytest.mark.parametrize("abruptly", [False, True], ids=["at leisure", "abruptly"])
def test_client_errors_log_no_traceback(server: Server, abruptly: bool) -> None:
    output = len(server.log_text())
    for mistake in MISTAKES.values():
        with socket.create_connection(("127.0.0.1", server.port), TIMEOUT_SECONDS) as client:
            client.sendall(mistake)
            if not abruptly:
                client.shutdown(socket.SHUT_WR)
                while client.recv(65536):
                    pass
            else:  # with a reset instead of a goodbye
                linger = struct.pack("ii", 1, 0)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    assert httpx.get(f"{server.url}/healthz", timeout=TIMEOUT_SECONDS).is_success
    for line in lines(server.log_text()[output:]):
        assert "trace" not in line
        assert "Traceback" not in line["said"]
        assert line["level"] in ("info", "warning")
