"""The services of deploy/compose.yaml together: crashes, hanging processes, floods."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from deployment import SERVICES, Site
from online import Live, begin, live, sit
from second_client import ATTACKER_ADDRESS
from servers import TIMEOUT_SECONDS, running, wait_until

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

PLAYERS = "127.0.0.11", "127.0.0.12"
STUCK_AFTER = 2.0
HANGS = """
from dataclasses import dataclass
from duelbook.position import Position

@dataclass(frozen=True, slots=True)
class Hangs(Position):
    ACTIONS = ("step", "hang")

    def moves(self):
        return ["step", "hang"]

    def apply(self, move):
        while move == "hang":
            pass
        return self

    def winner(self):
        return None
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    game = tmp_path_factory.mktemp("games") / "hangs.py"
    game.write_text(HANGS)
    with running(Site("--game", str(game), "--stuck-after", str(STUCK_AFTER))) as site:
        yield site


@pytest.fixture(scope="module")
def half_a_request(site: Site) -> Iterator[socket.socket]:
    """Start a request as soon as the services run, and never finish it."""
    with socket.create_connection(("127.0.0.1", site.port)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        yield line


class Players:
    """Two players at a game, who reconnect when they lose their connection."""

    def __init__(self, site: Site) -> None:
        self.site = site
        with httpx.Client(base_url=site.url, timeout=TIMEOUT_SECONDS) as http:
            seat = begin(http, book="tower-defense-duel")
            yours = sit(http, seat["id"])
        self.game = seat["id"]
        self.secrets = seat["secret"], yours["secret"]
        self.acknowledged: list[str] = []

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[list[Live]]:
        async with AsyncExitStack() as stack:
            yield [
                await stack.enter_async_context(live(self.site, self.game, secret, address))
                for secret, address in zip(self.secrets, PLAYERS, strict=True)
            ]

    async def play(self, count: int) -> None:
        """Play until the game has `count` moves."""
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
            self.acknowledged = seats[0].moves  # one more may be stored
            for _ in range(count):
                mover = seats[seats[0].game["view"]["to_move"]]
                answer = await mover.play("build 1")
                assert answer["type"] == "update", answer
                self.acknowledged.append("build 1")
                for seat in seats:
                    await seat.until_turn(mover.turn)


@pytest.mark.parametrize("service", SERVICES)
def test_the_health_check_succeeds(service: str, site: Site) -> None:
    assert site.is_healthy(service)


async def test_a_killed_server_loses_no_move(site: Site, half_a_request: socket.socket) -> None:
    players = Players(site)
    await players.play(3)
    site.server.kill()
    assert not site.is_healthy("duelbook")
    playing = asyncio.create_task(players.play(6))
    await asyncio.to_thread(site.server.start)  # as Docker and systemd do
    await playing
    assert len(players.acknowledged) == 6
    assert site.is_healthy("duelbook")


async def test_a_server_process_that_hangs_is_replaced(site: Site) -> None:
    """The rules of one game loop forever: the worker ends itself, and another one starts."""
    players = Players(site)
    await players.play(2)
    with httpx.Client(base_url=site.url, timeout=TIMEOUT_SECONDS) as http:
        other = begin(http, book="hangs", mode="device")
    async with live(site, other["id"], other["secret"], ATTACKER_ADDRESS) as hanging:
        assert (await hanging.play("step"))["type"] == "update"
        with pytest.raises(ConnectionClosed):
            await hanging.play("hang")
    await players.play(4)
    (line,) = [line for line in site.server.log_text().splitlines() if "hangs.py" in line]
    entry = json.loads(line)
    assert entry["level"] == "critical"
    assert entry["said"] == "the event loop hangs"
    assert entry["where"].count("hangs.py") == 1  # it names the line
    async with live(site, other["id"], other["secret"], ATTACKER_ADDRESS) as again:
        assert again.moves == ["step"]
        assert (await again.play("step"))["type"] == "update"


async def test_the_proxy_limits_a_flood_and_others_continue_to_play(site: Site) -> None:
    players = Players(site)
    await players.play(1)
    before, answers = requests_of(site), list[httpx.Response]()
    transport = httpx.AsyncHTTPTransport(local_address=ATTACKER_ADDRESS)
    async with httpx.AsyncClient(
        base_url=site.url, transport=transport, timeout=TIMEOUT_SECONDS
    ) as http:
        playing = asyncio.create_task(players.play(10))

        async def flood() -> None:
            """Send requests while the others play, until the proxy refuses one."""
            while not (playing.done() and any(map(is_from_proxy, answers))):
                answers.append(await http.get("/api/books/none/rules"))  # a fast answer

        async with asyncio.timeout(2 * TIMEOUT_SECONDS):
            await asyncio.gather(playing, *(flood() for _ in range(30)))
    refused = [answer for answer in answers if answer.status_code == 429]
    stopped = [answer for answer in refused if is_from_proxy(answer)]
    assert {answer.json()["code"] for answer in refused} == {"limit"}
    assert requests_of(site) - before <= len(answers) - len(stopped)  # the others never reached it
    assert len(players.acknowledged) == 10


async def test_the_proxy_counts_connections_by_address(site: Site) -> None:
    players, file = Players(site), "/static/main.js"
    transport = httpx.HTTPTransport(local_address=ATTACKER_ADDRESS)
    with (
        httpx.Client(base_url=site.url, transport=transport, timeout=TIMEOUT_SECONDS) as attacker,
        httpx.Client(base_url=site.url, timeout=TIMEOUT_SECONDS) as other,
        ExitStack() as stack,
    ):

        def start_request() -> None:
            proxy = "127.0.0.1", site.port
            line = stack.enter_context(socket.create_connection(proxy, None, (ATTACKER_ADDRESS, 0)))
            line.sendall(f"POST {file} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n".encode())

        def is_over_the_limit() -> bool:
            """Open one more connection, and return whether the next one is refused."""
            start_request()
            return attacker.get(file).status_code == 429

        for _ in range(40):
            start_request()
        wait_until(is_over_the_limit, site.log_text)
        assert other.get(file).status_code == 200
        await players.play(2)
        stack.close()
        wait_until(lambda: attacker.get(file).status_code == 200, site.log_text)


async def test_the_proxy_caches_static_files_and_no_answers(site: Site) -> None:
    with httpx.Client(base_url=site.url, timeout=TIMEOUT_SECONDS) as http:
        first = http.get("/static/main.js")
        assert first.headers["cache-control"] == "no-cache"
        tag = first.headers["etag"]
        assert http.get("/static/main.js", headers={"If-None-Match": tag}).status_code == 304
        assert http.get("/metrics").status_code == 404
        assert http.post("/api/games", content=b" " * 400_000).status_code == 413
    cached = [file for file in site.cache.joinpath("static").rglob("*") if file.is_file()]
    assert any(b"/static/main.js" in file.read_bytes() for file in cached)
    assert not any(b"/api/" in file.read_bytes() for file in cached)


async def test_an_incomplete_request_times_out(half_a_request: socket.socket) -> None:
    half_a_request.settimeout(TIMEOUT_SECONDS)
    with pytest.raises(ConnectionResetError):
        half_a_request.recv(100)


def is_from_proxy(answer: httpx.Response) -> bool:
    """Whether the proxy refused a request itself: answers of the server have a policy header."""
    return answer.status_code == 429 and "content-security-policy" not in answer.headers


def requests_of(site: Site) -> int:
    """Return how many requests for the rules of games the server has logged."""
    lines = [json.loads(line) for line in site.server.log_text().splitlines() if line[0] == "{"]
    return sum(line.get("route") == "/api/books/{slug}/rules" for line in lines)
