"""The services of deploy/compose.yaml, as deploy/services.py runs them, and what they withstand."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bystander import ATTACKER
from online import Live, begin, live, sit
from paths import ROOT
from servers import TIMEOUT_SECONDS, SpawnedServer, running, wait_until

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

DEPLOY = ROOT / "deploy"
PLAYERS = "127.0.0.11", "127.0.0.12"
STUCK_AFTER = 2.0
HANGS = """
from dataclasses import dataclass
from duelbook.position import Position

@dataclass(frozen=True, slots=True)
class Hangs(Position):
    ACTIONS = ("go on", "hang")

    def moves(self):
        return ["go on", "hang"]

    def apply(self, move):
        while move == "hang":
            pass
        return self

    def winner(self):
        return None
"""


class Site(SpawnedServer):
    """All services, behind the proxy."""

    def __init__(self) -> None:
        places = f"{os.environ['PATH']}:/usr/sbin"
        for program in ("curl", "nginx", "redis-server"):
            if shutil.which(program, path=places) is None:
                pytest.skip(f"{program} is not installed")
        if not list(Path("/usr/lib/postgresql").glob("*/bin/postgres")):
            pytest.skip("PostgreSQL is not installed")
        super().__init__(Path(tempfile.mkdtemp(prefix="duelbook-site-")))
        self.folder.chmod(0o755)  # PostgreSQL has a user of its own
        self.game = self.folder / "hangs.py"
        self.game.write_text(HANGS)

    def command(self) -> list[str]:
        options = ["--game", str(self.game), "--stuck-after", str(STUCK_AFTER)]
        where = [str(self.folder), "--port", str(self.port)]
        return [sys.executable, str(DEPLOY / "services.py"), *where, *options]

    def happened(self, service: str) -> list[dict[str, Any]]:
        """Return what happened to a service."""
        lines = [json.loads(line) for line in self.said().splitlines()]
        return [line for line in lines if line["service"] == service]

    def log_of(self, service: str) -> list[str]:
        """Return what a service wrote."""
        return (self.folder / service / "log").read_text().splitlines()

    def close(self) -> None:
        if self.process is not None:
            self.stop()
        shutil.rmtree(self.folder)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DUELBOOK_DB_PASSWORD", "not a secret")
        with running(Site()) as site:
            yield site


@pytest.fixture(scope="module")
def half_a_request(site: Site) -> Iterator[socket.socket]:
    """Begin a request as soon as the services run; nobody ever ends it."""
    with socket.create_connection(("127.0.0.1", site.port)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        yield line


class Players:
    """Two people at a game, who come back whenever they lose their connection."""

    def __init__(self, site: Site) -> None:
        self.site = site
        with httpx.Client(base_url=site.url, timeout=TIMEOUT_SECONDS) as http:
            mine = begin(http, book="tower-defense-duel")
            yours = sit(http, mine["id"])
        self.game = mine["id"]
        self.secrets = mine["secret"], yours["secret"]
        self.acknowledged: list[str] = []

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[list[Live]]:
        async with AsyncExitStack() as stack:
            yield [
                await stack.enter_async_context(live(self.site, self.game, secret, address))
                for secret, address in zip(self.secrets, PLAYERS, strict=True)
            ]

    async def play(self, count: int) -> None:
        """Play so many moves, from where the game is."""
        while True:
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await self._play(count - len(self.acknowledged))
                return
            except (OSError, EOFError, ConnectionClosed, InvalidStatus):
                await asyncio.sleep(0.05)

    async def _play(self, count: int) -> None:
        async with self.connected() as seats:
            assert seats[0].moves[: len(self.acknowledged)] == self.acknowledged
            self.acknowledged = seats[0].moves  # one more may have been kept
            for _ in range(count):
                mover = seats[seats[0].game["view"]["to_move"]]
                answer = await mover.play("build 1")
                assert answer["type"] == "update", answer
                self.acknowledged.append("build 1")
                for seat in seats:
                    await seat.until_turn(mover.turn)


async def test_a_game_goes_on_although_the_server_is_killed(
    site: Site, half_a_request: socket.socket
) -> None:
    players = Players(site)
    await players.play(3)
    before = site.happened("duelbook")
    os.kill(before[0]["pid"], signal.SIGKILL)
    await players.play(6)
    wait_until(lambda: len(site.happened("duelbook")) > len(before) + 2, site.said)
    after = site.happened("duelbook")[len(before) :]
    assert [line["happened"] for line in after] == ["ended", "started", "healthy"]
    assert after[0]["status"] == -signal.SIGKILL


async def test_a_server_process_that_hangs_is_replaced(site: Site) -> None:
    """The rules of one game never come back: the worker ends itself, and another one begins."""
    players = Players(site)
    await players.play(2)
    with httpx.Client(base_url=site.url, timeout=TIMEOUT_SECONDS) as http:
        other = begin(http, book="hangs", mode="device")
    async with live(site, other["id"], other["secret"], ATTACKER) as hanging:
        assert (await hanging.play("go on"))["type"] == "update"
        with pytest.raises(ConnectionClosed):
            await hanging.play("hang")
    await players.play(4)
    (line,) = [line for line in site.log_of("duelbook") if "hangs.py" in line]
    said = json.loads(line)
    assert said["level"] == "critical"
    assert said["said"] == "the event loop hangs"
    assert said["where"].count("hangs.py") == 1  # it names the place
    async with live(site, other["id"], other["secret"], ATTACKER) as again:
        assert again.moves == ["go on"]
        assert (await again.play("go on"))["type"] == "update"


async def test_a_flood_is_stopped_by_the_proxy_and_others_play_on(site: Site) -> None:
    players = Players(site)
    await players.play(1)
    before, answers = requests_of(site), list[httpx.Response]()
    transport = httpx.AsyncHTTPTransport(local_address=ATTACKER)
    async with httpx.AsyncClient(
        base_url=site.url, transport=transport, timeout=TIMEOUT_SECONDS
    ) as http:
        playing = asyncio.create_task(players.play(10))

        async def flood() -> None:
            """Ask while the others play, and for as long as it takes until the proxy refuses."""
            while not (playing.done() and any(map(is_from_proxy, answers))):
                answers.append(await http.get("/api/books/none/rules"))  # which is soon answered

        async with asyncio.timeout(2 * TIMEOUT_SECONDS):
            await asyncio.gather(playing, *(flood() for _ in range(30)))
    refused = [one for one in answers if one.status_code == 429]
    stopped = [one for one in refused if is_from_proxy(one)]
    assert {one.json()["code"] for one in refused} == {"limit"}
    assert requests_of(site) - before <= len(answers) - len(stopped)  # it heard of no other
    assert len(players.acknowledged) == 10


async def test_the_proxy_counts_connections_by_address(site: Site) -> None:
    players, file = Players(site), "/static/main.js"
    transport = httpx.HTTPTransport(local_address=ATTACKER)
    with (
        httpx.Client(base_url=site.url, transport=transport, timeout=TIMEOUT_SECONDS) as attacker,
        httpx.Client(base_url=site.url, timeout=TIMEOUT_SECONDS) as other,
        ExitStack() as stack,
    ):

        def begin_a_request() -> None:
            where = "127.0.0.1", site.port
            line = stack.enter_context(socket.create_connection(where, None, (ATTACKER, 0)))
            line.sendall(f"POST {file} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n".encode())

        def is_one_too_many() -> bool:
            """Ask with all others there; one that came while this was counted has no place."""
            begin_a_request()
            return attacker.get(file).status_code == 429

        for _ in range(40):
            begin_a_request()
        wait_until(is_one_too_many, site.said)
        assert other.get(file).status_code == 200
        await players.play(2)
        stack.close()
        wait_until(lambda: attacker.get(file).status_code == 200, site.said)


async def test_files_of_the_page_are_kept_by_the_proxy_and_answers_are_not(site: Site) -> None:
    with httpx.Client(base_url=site.url, timeout=TIMEOUT_SECONDS) as http:
        first = http.get("/static/main.js")
        assert first.headers["cache-control"] == "no-cache"
        tag = first.headers["etag"]
        assert http.get("/static/main.js", headers={"If-None-Match": tag}).status_code == 304
        assert http.get("/metrics").status_code == 404
        assert http.post("/api/games", content=b" " * 400_000).status_code == 413
    kept = list((site.folder / "proxy/var/cache/nginx/static").rglob("*"))
    assert any(b"/static/main.js" in file.read_bytes() for file in kept if file.is_file())
    assert not any(b"/api/" in file.read_bytes() for file in kept if file.is_file())


async def test_half_a_request_is_not_waited_for(half_a_request: socket.socket) -> None:
    half_a_request.settimeout(TIMEOUT_SECONDS)
    with pytest.raises(ConnectionResetError):
        half_a_request.recv(100)


def is_from_proxy(answer: httpx.Response) -> bool:
    """Whether the proxy refused a request by itself: the server has a policy in each answer."""
    return answer.status_code == 429 and "content-security-policy" not in answer.headers


def requests_of(site: Site) -> int:
    """Return how many requests for the rules of games the server has logged."""
    lines = [json.loads(line) for line in site.log_of("duelbook") if line[0] == "{"]
    return sum(line.get("route") == "/api/books/{slug}/rules" for line in lines)
