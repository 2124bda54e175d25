"""Worker processes: a slow or stuck job delays no other."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from async_tasks import run_until_waiting, start_tasks, wait_for_condition
from duelbook.compute import worker_pool
from duelbook.compute.client_address import CLIENT_ADDRESS
from duelbook.compute.worker_pool import TooSlow, UnavailableError, WorkerPool

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

LONG = 1_000.0
"""Seconds: more than any test waits."""


@pytest.fixture(autouse=True)
def soon_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "SLOW_SECONDS", 0.1)


@asynccontextmanager
async def processes(
    max_processes: int,
    max_jobs_per_address: int = 10,
    on_end: Callable[[str], None] = lambda _: None,
) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(
        int,  # type: ignore[arg-type] # which does nothing
        max_processes=max_processes,
        max_jobs_per_address=max_jobs_per_address,
        on_end=on_end,
    )
    try:
        yield pool
    finally:
        pool.close()


def as_from(asker: str, work: object) -> asyncio.Task[object]:
    """Begin work for an address."""
    before = CLIENT_ADDRESS.set(asker)
    try:
        return start_tasks(work)[0]
    finally:
        CLIENT_ADDRESS.reset(before)


def runs(process: int) -> bool:
    """Whether a process has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_slow_game_delays_no_other_game() -> None:
    ended: list[str] = []
    async with processes(2, on_end=ended.append) as pool:
        process = await pool.run("one", LONG, os.getpid)
        (stuck,) = start_tasks(pool.run("one", LONG, signal.pause))
        await run_until_waiting()
        assert await pool.run("other", LONG, os.getpid) != process
        assert await pool.run("third", LONG, os.getpid) != process
        assert ended == ["other"]  # which was idle
        os.kill(process, signal.SIGKILL)
        with pytest.raises(UnavailableError, match="process ended"):
            await stuck
        assert await pool.run("one", LONG, os.getpid) != process


async def test_a_second_process_helps_while_a_job_is_stuck() -> None:
    async with processes(3) as pool:
        process = await pool.run("one", LONG, os.getpid)
        (stuck,) = start_tasks(pool.run("one", LONG, signal.pause))
        await run_until_waiting()
        assert await pool.run("one", LONG, os.getpid) != process
        assert stuck.cancel()


async def test_a_job_over_its_time_limit_ends_with_its_process() -> None:
    async with processes(1) as pool:
        process = await pool.run("one", LONG, os.getpid)
        with pytest.raises(TooSlow):
            await pool.run("one", 0.1, signal.pause)
        assert await pool.run("one", LONG, os.getpid) != process
        await wait_for_condition(lambda: not runs(process))


async def test_a_job_that_nobody_waits_for_is_dropped_or_ended() -> None:
    async with processes(1) as pool:
        process = await pool.run("one", LONG, os.getpid)
        stuck, waiting = start_tasks(
            pool.run("one", LONG, signal.pause), pool.run("one", LONG, os.abort)
        )
        await run_until_waiting()
        for task in (stuck, waiting):
            task.cancel()
        after = await pool.run("one", LONG, os.getpid)
        assert after != process
        assert await pool.run("one", LONG, os.getpid) == after  # nothing was aborted


async def test_a_quick_job_that_nobody_waits_for_ends_no_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_pool, "SLOW_SECONDS", LONG)
    async with processes(1) as pool:
        process = await pool.run("one", LONG, os.getpid)
        (quick,) = start_tasks(pool.run("one", LONG, time.sleep, 0.001))
        await run_until_waiting()
        quick.cancel()
        assert await pool.run("one", LONG, os.getpid) == process


async def test_addresses_take_turns_and_have_limits() -> None:
    go = {signal.SIGUSR1}
    async with processes(1, max_jobs_per_address=3) as pool:
        process = await pool.run("one", LONG, os.getpid)
        await pool.run("one", LONG, signal.pthread_sigmask, signal.SIG_BLOCK, go)
        order: list[str] = []

        async def think(asker: str, work: Callable[..., object], *arguments: object) -> None:
            await pool.run("one", LONG, work, *arguments)
            order.append(asker)

        tasks = [as_from("a", think("a", signal.sigwait, go))]  # all others wait for it
        await run_until_waiting()
        tasks += [as_from("a", think("a", os.getpid)) for _ in range(3)]
        await run_until_waiting()
        tasks += [as_from("b", think("b", os.getpid))]
        await run_until_waiting()
        with pytest.raises(UnavailableError, match="busy"):
            await as_from("a", think("a", os.getpid))
        os.kill(process, signal.SIGUSR1)
        await asyncio.gather(*tasks)
        assert order == ["a", "a", "b", "a", "a"]  # the first was begun before the other asked


async def test_a_game_without_a_process_is_served_first() -> None:
    async with processes(1) as pool:
        await pool.run("one", LONG, os.getpid)
        tasks = start_tasks(*(pool.run("one", LONG, time.time_ns) for _ in range(5)))
        await run_until_waiting()
        other_result = await pool.run("other", LONG, time.time_ns)
        times = await asyncio.gather(*tasks)
        assert isinstance(times[-1], int)
        assert other_result < times[-1]


async def test_errors_of_a_job_reach_the_caller() -> None:
    async with processes(1) as pool:
        process = await pool.run("one", LONG, os.getpid)
        with pytest.raises(ZeroDivisionError):
            await pool.run("one", LONG, divmod, 1, 0)
        assert await pool.run("one", LONG, os.getpid) == process


async def test_waiting_jobs_fail_when_the_server_stops() -> None:
    async with processes(1) as pool:
        await pool.run("one", LONG, os.getpid)
        waiting = start_tasks(pool.run("one", LONG, signal.pause), pool.run("one", LONG, os.getpid))
        await run_until_waiting()
    for task in waiting:
        with pytest.raises(UnavailableError, match="stops"):
            await task
