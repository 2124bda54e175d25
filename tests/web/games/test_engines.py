"""Hints, analyses and computer moves of a game on the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from async_tasks import run_until_waiting, start_tasks, wait_for_condition
from duelbook.analysis.hint import MoveHint
from duelbook.compute.engines import Engines
from duelbook.compute.worker_pool import TooSlow
from duelbook.web import protocol as p
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import Connection, LiveRoom, room_of
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.server.app import cancel_on_disconnect
from duelbook.web.store.pubsub import NoPubSub
from duelbook.web.store.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

TOWER = "tower-defense-duel"


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
    return await hub.connect(seated.id, seated.secret, connection), connection


async def test_callers_share_one_hint_job(hub: Hub, thoughts: Thoughts) -> None:
    live, connection = await sit_down(hub, help=True)
    hub.disconnect(live, connection)  # so that nothing is evaluated
    await wait_for_condition(lambda: thoughts.cancelled == thoughts.begun)
    before = thoughts.begun
    tasks = start_tasks(*(hub.explanations.hint(live, connection.seats) for _ in range(5)))
    await run_until_waiting()
    for task in tasks[:4]:
        task.cancel()
    await run_until_waiting()
    assert thoughts.begun == before + 1
    assert thoughts.cancelled == before
    thoughts.go.set()
    assert await tasks[4]


async def test_callers_share_one_analysis_job(hub: Hub, thoughts: Thoughts) -> None:
    live, connection = await sit_down(hub)
    await hub.execute(live, connection.seats, p.Resign(room_of(live).turn))
    tasks = start_tasks(*(hub.explanations.analyse(live) for _ in range(5)))
    await run_until_waiting()
    thoughts.go.set()
    assert await asyncio.gather(*tasks) == [b"{}"] * 5
    assert await hub.explanations.analyse(live) == b"{}"
    assert thoughts.begun == 1


async def test_jobs_that_nobody_waits_for_are_cancelled(hub: Hub, thoughts: Thoughts) -> None:
    live, connection = await sit_down(hub, help=True)
    await wait_for_condition(lambda: thoughts.begun == 1)  # the evaluation
    hub.disconnect(live, connection)
    await wait_for_condition(lambda: thoughts.cancelled == 1)
    again = Connection()
    again.seats = connection.seats
    live.connections.add(again)
    hub.automation.schedule(live)  # as after any event
    await wait_for_condition(lambda: thoughts.begun == 2)  # each new connection gets the evaluation


async def test_an_analysis_is_cancelled_when_its_caller_leaves(
    hub: Hub, thoughts: Thoughts
) -> None:
    live, connection = await sit_down(hub)
    await hub.execute(live, connection.seats, p.Resign(room_of(live).turn))
    (task,) = start_tasks(hub.explanations.analyse(live))
    await wait_for_condition(lambda: thoughts.begun)
    task.cancel()
    await wait_for_condition(lambda: thoughts.cancelled)
    (task,) = start_tasks(hub.explanations.analyse(live))
    await wait_for_condition(lambda: thoughts.begun == 2)
    thoughts.go.set()
    assert await task == b"{}"


async def test_work_stops_when_the_client_disconnects() -> None:
    messages, disconnected, stopped = [{"type": "http.request"}], asyncio.Event(), asyncio.Event()

    async def receive() -> dict[str, str]:
        if not messages:
            await disconnected.wait()
            return {"type": "http.disconnect"}
        return messages.pop()

    async def compute() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    request = Request({"type": "http"}, receive)
    (task,) = start_tasks(cancel_on_disconnect(request, compute()))
    await run_until_waiting()
    assert not stopped.is_set()
    disconnected.set()
    with pytest.raises(HTTPException) as error:
        await task
    assert error.value.status_code == 499
    await stopped.wait()


async def test_a_move_over_its_time_limit_fails_in_the_game(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    async def choose(*_: object) -> str:
        calls.append(1)
        raise TooSlow("This takes too long to compute.")

    monkeypatch.setattr(hub.engines, "choose", choose)
    seated = await hub.create(p.NewGame(TOWER, mode="computer", seat=1, level="random"))
    live = await hub.connect(seated.id, seated.secret, Connection())
    await wait_for_condition(lambda: room_of(live).failure and not live.tasks)
    assert room_of(live).failure == "Computer (random) took too long for its move."
    assert len(calls) == 1
