"""What works in the background goes on after any error, which is logged."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NoReturn

import pytest

from async_tasks import wait_for_condition
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.restart_tasks import cancel_and_wait, supervise
from duelbook.web.server import app as app_module
from duelbook.web.server.settings import Settings
from duelbook.web.store.game_events import GameEvent
from duelbook.web.store.pubsub import Notice
from duelbook.web.store.redis_pubsub import RedisPubSub
from duelbook.web.store.sqlite_writer import SqliteWriter
from duelbook.web.store.store import Store, StoreError
from duelbook.web.store.writer import CommitBatch
from servers import Redis

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

Logged = pytest.LogCaptureFixture


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits before work begins again."""
    monkeypatch.setattr("duelbook.web.restart_tasks.PAUSE_SECONDS", 0.01)


def logged(caplog: Logged, what: str) -> bool:
    """Whether an error was logged with its trace."""
    return any(r.getMessage() == f"failed: {what}" and r.exc_info for r in caplog.records)


async def test_supervised_work_restarts_after_failures(caplog: Logged) -> None:
    begun = []

    async def work() -> None:
        begun.append(1)
        if len(begun) == 1:
            raise ValueError("odd")
        if len(begun) == 2:
            raise asyncio.CancelledError  # of something else that it waited for
        await asyncio.Event().wait()

    task = supervise("work", work)
    await wait_for_condition(lambda: len(begun) == 3)
    assert logged(caplog, "work")
    await cancel_and_wait(task)
    assert task.cancelled()


# The writer -------------------------------------------------------------------------------------


class Broken:
    """Metrics that fail once."""

    def __init__(self) -> None:
        self.failed = False

    def __call__(self, *_: object) -> None:
        if not self.failed:
            self.failed = True
            raise KeyError("odd")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'games.db'}", timeout=1)
    await store.open()
    yield store
    await store.close()


MOVE = GameEvent("move", 0, "build 1", 5)


async def test_driver_error_fails_the_waiting_jobs(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = store._writer._backend  # noqa: SLF001 # what only a driver can do
    commit = backend.commit

    def fail(_: object) -> NoReturn:
        monkeypatch.setattr(backend, "commit", commit)
        raise RuntimeError("odd")

    monkeypatch.setattr(backend, "commit", fail)
    with pytest.raises(StoreError, match="try again"):
        await store.append("no game", 0, MOVE)
    await store.check(1)


async def test_writer_continues_after_its_own_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Logged
) -> None:
    metrics = Metrics()
    monkeypatch.setattr(metrics, "count_commit", Broken())
    store = Store(f"sqlite:///{tmp_path / 'games.db'}", 1, metrics)
    await store.open()
    for now in (1, 2, 3):
        await store.check(now)
        monkeypatch.setattr(store, "_tried", 0.0)  # so that it is tried again
    assert logged(caplog, "writer")
    await store.close()


async def test_hanging_disk_times_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = store._writer._backend  # noqa: SLF001 # see above
    answers, write = threading.Event(), SqliteWriter._write  # noqa: SLF001 # what blocks in it

    def wait(batch: CommitBatch) -> int:
        answers.wait()
        return write(backend, batch)  # type: ignore[arg-type] # it is one of SQLite

    monkeypatch.setattr(backend, "_write", wait)
    for _ in range(3):
        with pytest.raises(StoreError, match="try again"):
            await store.append("no game", 0, MOVE)
    with pytest.raises(StoreError):
        await store.check(1)
    answers.set()
    await until_well(store)


async def until_well(store: Store) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                return await store.check(2)
            except StoreError:
                await asyncio.sleep(0.01)


# The housekeeper --------------------------------------------------------------------------------


async def test_housekeeping_continues_after_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Logged
) -> None:
    monkeypatch.setattr(app_module, "HOUSEKEEPING_SECONDS", 0.01)
    app = app_module.create(Settings(f"sqlite:///{tmp_path / 'games.db'}"))
    hub, tidied = app.state.hub, []

    def tidy() -> None:
        tidied.append(1)
        if len(tidied) < 3:
            raise LookupError("odd")

    monkeypatch.setattr(hub, "drop_idle_games", tidy)
    async with app.router.lifespan_context(app):
        await wait_for_condition(lambda: len(tidied) > 5)
    assert logged(caplog, "housekeeper")


# The listener -----------------------------------------------------------------------------------


async def test_notice_listener_continues_after_an_error(redis: Redis, caplog: Logged) -> None:
    notices: list[str] = []

    class Listener:
        async def receive(self, notice: Notice) -> None:
            notices.append(notice.game)
            if len(notices) == 1:
                raise LookupError("odd")

        async def poll(self) -> None:
            """Look at nothing."""

    caplog.set_level(logging.ERROR)
    here, there = (RedisPubSub(redis.url, lambda _: None) for _ in range(2))
    await here.open(Listener())
    await there.open(Listener())
    async with asyncio.timeout(60):
        while len(notices) < 2:  # nobody hears what is said before they listen
            there.publish(Notice("a game", there.server, [0, 0], 0))
            await asyncio.sleep(0.02)
    assert logged(caplog, "listener")
    await here.close()
    await there.close()
