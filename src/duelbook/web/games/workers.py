"""Worker processes: one or two for each game, so that no game waits for another.

A process does one job at a time, and keeps what it has learnt about its game. Jobs wait here, those
of each address in turn. A job that takes too long ends together with its process, and so does a
slow one that nobody waits for any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, TypeVar

from duelbook.errors import DuelbookError
from duelbook.web.client_address import ASKER
from duelbook.web.games.commands import Refusal
from duelbook.web.logs import log

MAX_WAITING_JOBS = 50
"""The jobs that may wait for the processes of one game."""
MAX_PROCESSES_PER_GAME = 2
"""The processes of one game: a second one helps out while the first does a slow job."""
SLOW = 3.0
"""Seconds after which a job is slow."""
T = TypeVar("T")


class TooSlow(DuelbookError):  # noqa: N818 # reads better than TooSlowError
    """A job took too long, and was ended."""


@dataclass(eq=False)
class _Job:
    """Work for a process, and the future that its caller awaits."""

    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    limit: float
    done: asyncio.Future[Any]

    def fail(self, error: Exception) -> None:
        """Raise an error in the caller, unless it is gone."""
        if not self.done.done():
            self.done.set_exception(error)


class _Queue:
    """The jobs that wait for the processes of one game; everyone who asks is served in turn."""

    def __init__(self) -> None:
        self._jobs: dict[str, deque[_Job]] = {}
        """By asker; the first asker is next."""

    def add(self, asker: str, job: _Job, max_jobs_per_address: int) -> None:
        """Let a job wait, or refuse it if too many do."""
        waiting, mine = len(self.jobs()), self._jobs.get(asker, deque())
        if len(mine) >= max_jobs_per_address or waiting >= MAX_WAITING_JOBS:
            raise Refusal("busy", "The computer is busy: try again later.")
        self._jobs.setdefault(asker, mine).append(job)

    def jobs(self) -> list[_Job]:
        """Return the jobs that someone waits for."""
        self._drop_unwanted()
        return [job for jobs in self._jobs.values() for job in jobs]

    def take(self) -> _Job:
        """Return the next job; its asker is the last one then."""
        asker, mine = next(iter(self._jobs.items()))
        del self._jobs[asker]
        job = mine.popleft()
        if mine:
            self._jobs[asker] = mine
        return job

    def _drop_unwanted(self) -> None:
        for asker, jobs in list(self._jobs.items()):
            wanted = deque(job for job in jobs if not job.done.done())
            if wanted:
                self._jobs[asker] = wanted
            else:
                del self._jobs[asker]


@dataclass(eq=False)
class _Process:
    """A process, and the job that it does."""

    game: str
    pool: ProcessPoolExecutor
    job: _Job | None = None
    task: asyncio.Task[None] | None = None
    """What waits for its job."""
    since: float = 0.0
    """When it began its job or became idle."""


class WorkerPool:
    """Processes that are started when they are needed; the one that was idle longest gives way."""

    def __init__(
        self,
        begin: Callable[..., None],
        *arguments: object,
        max_processes: int,
        max_jobs_per_address: int = 10,
        ended: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Prepare; each process calls `begin` first, and `ended` is told whose is gone.

        There are at most `max_processes` processes. At most `max_jobs_per_address` jobs of one
        address wait for the processes of a game.
        """
        self._begin, self._arguments, self._ended = begin, arguments, ended
        self._max_processes, self._max_jobs_per_address = max_processes, max_jobs_per_address
        self._processes: list[_Process] = []
        self._queues: dict[str, _Queue] = {}
        self._timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """End all processes, even in the middle of a computation."""
        if self._timer:
            self._timer.cancel()
        left = [process.job for process in self._processes if process.job]
        for queue in self._queues.values():
            left += queue.jobs()
        self._queues.clear()
        for process in list(self._processes):
            if process.task:
                process.task.cancel()
            self._end(process)
        for job in left:
            job.fail(Refusal("later", "The server stops: try again."))

    async def run(self, game: str, limit: float, work: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 # as the work takes them
        """Return what work returns in a process of this game, if it does within some seconds."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        queue = self._queues.setdefault(game, _Queue())
        queue.add(ASKER.get(), _Job(work, arguments, limit, done), self._max_jobs_per_address)
        self._assign()
        return await done

    def _assign(self) -> None:
        """Give the jobs that wait to processes."""
        loop = asyncio.get_running_loop()
        served = {process.game for process in self._processes}
        for game in sorted(self._queues, key=served.__contains__):  # first those without a process
            queue = self._queues[game]
            while queue.jobs() and (process := self._free_process(game, loop.time())):
                process.since, process.job = loop.time(), queue.take()
                process.task = loop.create_task(self._do(process, process.job))
            if not queue.jobs():
                del self._queues[game]
        if self._queues and not self._timer:  # another process may help out then
            self._timer = loop.call_later(SLOW, self._look_again)

    def _look_again(self) -> None:
        self._timer = None
        self._assign()

    def _free_process(self, game: str, now: float) -> _Process | None:
        """Return an idle process of this game, or a new one if it may have one."""
        mine = [process for process in self._processes if process.game == game]
        for process in mine:
            if process.job is None:
                return process
        idle = [process for process in self._processes if process.job is None]
        room = self._max_processes - len(self._processes) + len(idle)
        if mine:
            are_slow = all(now - process.since >= SLOW for process in mine)
            if (
                not are_slow or len(mine) >= MAX_PROCESSES_PER_GAME or room < 2
            ):  # one is for other games
                return None
        if not room:
            return None
        if len(self._processes) >= self._max_processes:
            self._end(min(idle, key=lambda process: process.since))
        pool = ProcessPoolExecutor(
            1, get_context("spawn"), initializer=self._begin, initargs=self._arguments
        )
        self._processes.append(_Process(game, pool))
        return self._processes[-1]

    async def _do(self, process: _Process, job: _Job) -> None:
        """Let a process do a job, and pass the result to the caller."""
        try:
            result = await self._result(process, job)
        except BrokenProcessPool:  # it was killed, perhaps out of memory
            self._end(process)
            job.fail(Refusal("later", "The computer's process ended: try again."))
        except Exception as error:  # of the work itself
            job.fail(error)
        else:
            if not job.done.done():
                job.done.set_result(result)
        process.job, process.since = None, asyncio.get_running_loop().time()
        self._assign()

    async def _result(self, process: _Process, job: _Job) -> Any:  # noqa: ANN401 # what the work returns
        work = asyncio.wrap_future(process.pool.submit(job.work, *job.arguments))
        try:
            waiting = {work, job.done}
            await asyncio.wait(waiting, timeout=job.limit, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and job.done.done():  # nobody waits for it any more
                await asyncio.wait({work}, timeout=SLOW)
            if not work.done():
                self._end(process)
                log("too slow", logging.WARNING, game=process.game, work=job.work.__name__)
                raise TooSlow("This takes too long to compute.")
            return work.result()
        finally:
            work.cancel()  # which does nothing if it is done

    def _end(self, process: _Process) -> None:
        """End a process, even in the middle of a computation."""
        if process not in self._processes:
            return
        self._processes.remove(process)
        for running in list((process.pool._processes or {}).values()):  # noqa: SLF001 # nothing else ends a long thought
            running.kill()
        process.pool.shutdown(wait=False, cancel_futures=True)
        self._ended(process.game)
