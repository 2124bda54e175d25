"""What other processes compute: a slow or stuck thought makes nobody else wait."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from duelbook.analysis.hint import MoveHint
from duelbook.web import protocol as p
from duelbook.web.client_address import ASKER
from duelbook.web.games import workers
from duelbook.web.games.commands import Refusal
from duelbook.web.games.engines import Engines
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import Connection, LiveRoom, room_of
from duelbook.web.games.workers import TooSlow, WorkerPool
from duelbook.web.metrics import Metrics
from duelbook.web.server.app import unless_gone
from duelbook.web.store.pubsub import NoPubSub
from duelbook.web.store.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

TOWER = "tower-defense-duel"
LONG = 1_000.0
"""Seconds: more than any test waits."""


@pytest.fixture(autouse=True)
def soon_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "SLOW", 0.1)


@asynccontextmanager
async def processes(
    max_processes: int,
    max_jobs_per_address: int = 10,
    ended: Callable[[str], None] = lambda _: None,
) -> AsyncIterator[WorkerPool]:
    crew = WorkerPool(
        int,  # type: ignore[arg-type] # which does nothing
        max_processes=max_processes,
        max_jobs_per_address=max_jobs_per_address,
        ended=ended,
    )
    try:
        yield crew
    finally:
        crew.close()


def begun(*works: object) -> list[asyncio.Task[object]]:
    return [asyncio.create_task(work) for work in works]  # type: ignore[arg-type] # coroutines


def as_from(asker: str, work: object) -> asyncio.Task[object]:
    """Begin work for an address."""
    before = ASKER.set(asker)
    try:
        return begun(work)[0]
    finally:
        ASKER.reset(before)


async def started() -> None:
    """Let what was begun get as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


def runs(process: int) -> bool:
    """Whether a process has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_game_that_takes_long_keeps_no_other_waiting() -> None:
    gone: list[str] = []
    async with processes(2, ended=gone.append) as crew:
        process = await crew.run("one", LONG, os.getpid)
        (stuck,) = begun(crew.run("one", LONG, signal.pause))
        await started()
        assert await crew.run("other", LONG, os.getpid) != process
        assert await crew.run("third", LONG, os.getpid) != process
        assert gone == ["other"]  # which was idle
        os.kill(process, signal.SIGKILL)
        with pytest.raises(Refusal, match="process ended"):
            await stuck
        assert await crew.run("one", LONG, os.getpid) != process


async def test_other_games_of_a_book_do_not_wait_for_a_stuck_thought() -> None:
    async with processes(3) as crew:
        process = await crew.run("one", LONG, os.getpid)
        (stuck,) = begun(crew.run("one", LONG, signal.pause))
        await started()
        assert await crew.run("one", LONG, os.getpid) != process
        assert stuck.cancel()


async def test_a_thought_that_takes_too_long_is_ended_with_its_process() -> None:
    async with processes(1) as crew:
        process = await crew.run("one", LONG, os.getpid)
        with pytest.raises(TooSlow):
            await crew.run("one", 0.1, signal.pause)
        assert await crew.run("one", LONG, os.getpid) != process
        await until(lambda: not runs(process))


async def test_a_thought_that_nobody_waits_for_is_not_begun_or_is_ended() -> None:
    async with processes(1) as crew:
        process = await crew.run("one", LONG, os.getpid)
        stuck, waiting = begun(crew.run("one", LONG, signal.pause), crew.run("one", LONG, os.abort))
        await started()
        for task in (stuck, waiting):
            task.cancel()
        after = await crew.run("one", LONG, os.getpid)
        assert after != process
        assert await crew.run("one", LONG, os.getpid) == after  # nothing was aborted


async def test_an_unwanted_thought_that_is_soon_over_costs_no_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "SLOW", LONG)
    async with processes(1) as crew:
        process = await crew.run("one", LONG, os.getpid)
        (quick,) = begun(crew.run("one", LONG, time.sleep, 0.001))
        await started()
        quick.cancel()
        assert await crew.run("one", LONG, os.getpid) == process


async def test_addresses_are_served_in_turn_and_none_fills_the_queue() -> None:
    go = {signal.SIGUSR1}
    async with processes(1, max_jobs_per_address=3) as crew:
        process = await crew.run("one", LONG, os.getpid)
        await crew.run("one", LONG, signal.pthread_sigmask, signal.SIG_BLOCK, go)
        order: list[str] = []

        async def think(asker: str, work: Callable[..., object], *arguments: object) -> None:
            await crew.run("one", LONG, work, *arguments)
            order.append(asker)

        tasks = [as_from("a", think("a", signal.sigwait, go))]  # all others wait for it
        await started()
        tasks += [as_from("a", think("a", os.getpid)) for _ in range(3)]
        await started()
        tasks += [as_from("b", think("b", os.getpid))]
        await started()
        with pytest.raises(Refusal, match="busy"):
            await as_from("a", think("a", os.getpid))
        os.kill(process, signal.SIGUSR1)
        await asyncio.gather(*tasks)
        assert order == ["a", "a", "b", "a", "a"]  # the first was begun before the other asked


async def test_a_book_without_a_process_goes_before_those_with_one() -> None:
    async with processes(1) as crew:
        await crew.run("one", LONG, os.getpid)
        mine = begun(*(crew.run("one", LONG, time.time_ns) for _ in range(5)))
        await started()
        other = await crew.run("other", LONG, time.time_ns)
        times = await asyncio.gather(*mine)
        assert isinstance(times[-1], int)
        assert other < times[-1]


async def test_work_that_fails_says_why() -> None:
    async with processes(1) as crew:
        process = await crew.run("one", LONG, os.getpid)
        with pytest.raises(ZeroDivisionError):
            await crew.run("one", LONG, divmod, 1, 0)
        assert await crew.run("one", LONG, os.getpid) == process


async def test_whoever_waits_when_the_server_stops_is_told() -> None:
    async with processes(1) as crew:
        await crew.run("one", LONG, os.getpid)
        waiting = begun(crew.run("one", LONG, signal.pause), crew.run("one", LONG, os.getpid))
        await started()
    for task in waiting:
        with pytest.raises(Refusal, match="stops"):
            await task


# Games ------------------------------------------------------------------------------------------


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[Hub]:
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    await store.open()
    hub = Hub(store, Engines(), NoPubSub(), Metrics())
    yield hub
    await hub.close()
    hub.engines.close()
    await store.close()


class Thoughts:
    """What stands in for the other processes: thoughts that end when they are told to."""

    def __init__(self, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = self.cancelled = 0
        self.go = asyncio.Event()
        best = MoveHint("build 1", "build 1 wins in 3 turns.")
        for what, answer in (("hint", best), ("analyse", b"{}"), ("evaluate", b"{}")):
            monkeypatch.setattr(hub.engines, what, partial(self.think, answer))

    async def think(self, answer: object, *_: object) -> object:
        self.begun += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return answer


@pytest.fixture
def thoughts(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Thoughts:
    return Thoughts(hub, monkeypatch)


async def sit_down(hub: Hub, **wish: object) -> tuple[LiveRoom, Connection]:
    """Begin a game at one device, and connect to it."""
    seated, connection = await hub.create(p.NewGame(TOWER, "device", **wish)), Connection()  # type: ignore[arg-type] # as given
    return await hub.enter(seated.id, seated.secret, connection), connection


async def test_however_many_ask_for_a_hint_it_is_one_thought(hub: Hub, thoughts: Thoughts) -> None:
    live, connection = await sit_down(hub, help=True)
    hub.leave(live, connection)  # so that nothing is evaluated
    await until(lambda: thoughts.cancelled == thoughts.begun)
    before = thoughts.begun
    asked = begun(*(hub.hint(live, connection.seats) for _ in range(5)))
    await started()
    for one in asked[:4]:
        one.cancel()
    await started()
    assert thoughts.begun == before + 1
    assert thoughts.cancelled == before
    thoughts.go.set()
    assert await asked[4]


async def test_however_many_ask_for_an_analysis_it_is_one_thought(
    hub: Hub, thoughts: Thoughts
) -> None:
    live, connection = await sit_down(hub)
    await hub.act(live, connection.seats, p.Resign(room_of(live).turn))
    asked = begun(*(hub.analyse(live) for _ in range(5)))
    await started()
    thoughts.go.set()
    assert await asyncio.gather(*asked) == [b"{}"] * 5
    assert await hub.analyse(live) == b"{}"
    assert thoughts.begun == 1


async def test_thoughts_that_nobody_waits_for_are_cancelled(hub: Hub, thoughts: Thoughts) -> None:
    live, connection = await sit_down(hub, help=True)
    await until(lambda: thoughts.begun == 1)  # the evaluation
    hub.leave(live, connection)
    await until(lambda: thoughts.cancelled == 1)
    again = Connection()
    again.seats = connection.seats
    live.connections.add(again)
    hub._schedule(live)  # noqa: SLF001 # as after any event
    await until(lambda: thoughts.begun == 2)  # each new connection gets the evaluation


async def test_an_analysis_that_whoever_asked_left_is_cancelled(
    hub: Hub, thoughts: Thoughts
) -> None:
    live, connection = await sit_down(hub)
    await hub.act(live, connection.seats, p.Resign(room_of(live).turn))
    (asked,) = begun(hub.analyse(live))
    await until(lambda: thoughts.begun)
    asked.cancel()
    await until(lambda: thoughts.cancelled)
    (asked,) = begun(hub.analyse(live))
    await until(lambda: thoughts.begun == 2)
    thoughts.go.set()
    assert await asked == b"{}"


async def test_nothing_is_computed_for_a_request_that_was_given_up() -> None:
    came, stays, stopped = [{"type": "http.request"}], asyncio.Event(), asyncio.Event()

    async def receive() -> dict[str, str]:
        if not came:
            await stays.wait()
            return {"type": "http.disconnect"}
        return came.pop()

    async def compute() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    request = Request({"type": "http"}, receive)
    (answering,) = begun(unless_gone(request, compute()))
    await started()
    assert not stopped.is_set()
    stays.set()
    with pytest.raises(HTTPException) as gone:
        await answering
    assert gone.value.status_code == 499
    await stopped.wait()


async def test_a_game_is_told_that_its_computer_thinks_too_long(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    async def choose(*_: object) -> str:
        asked.append(1)
        raise TooSlow("This takes too long to compute.")

    monkeypatch.setattr(hub.engines, "choose", choose)
    seated = await hub.create(p.NewGame(TOWER, mode="computer", seat=1, level="random"))
    live = await hub.enter(seated.id, seated.secret, Connection())
    await until(lambda: room_of(live).failed and not live.tasks)
    assert room_of(live).failed == "Computer (random) took too long for its move."
    assert len(asked) == 1
