"""Worker processes: one or two for each game, so that no game waits for another.

A process does one job at a time, and keeps the solutions of its game in memory. The clients'
addresses take turns. A job that exceeds its time limit ends together with its process. A slow job
that nobody waits for ends the same way.
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
from typing import Any, Literal, TypeVar

from duelbook.compute.client_address import CLIENT_ADDRESS
from duelbook.errors import DuelbookError
from duelbook.system.json_logs import log

MAX_WAITING_JOBS = 50
"""The maximum number of jobs that wait for the processes of one game."""
MAX_PROCESSES_PER_GAME = 2
"""A game has a second process while its first one does a slow job."""
SLOW_SECONDS = 3.0
"""A job is slow after this time."""
T = TypeVar("T")


class TooSlow(DuelbookError):  # noqa: N818 # reads better than TooSlowError
    """A job exceeded its time limit and was ended."""


class UnavailableError(DuelbookError):
    """No worker process finished the job; the same job may succeed later."""

    def __init__(self, code: Literal["busy", "later"], why: str) -> None:
        """Store the reason and its code: `busy` for too many jobs, `later` for an ended process."""
        super().__init__(why)
        self.code: Literal["busy", "later"] = code


@dataclass(eq=False)
class _Job:
    """Work for a process, and the future that its caller awaits."""

    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    limit: float
    done: asyncio.Future[Any]

    def fail(self, error: Exception) -> None:
        """Raise an error in the caller, unless the caller no longer waits."""
        if not self.done.done():
            self.done.set_exception(error)


class _Queue:
    """The jobs that wait for the processes of one game; the addresses take turns."""

    def __init__(self) -> None:
        self._jobs: dict[str, deque[_Job]] = {}
        """The waiting jobs by address; the first address is next."""

    def add(self, address: str, job: _Job, max_jobs_per_address: int) -> None:
        """Queue a job; refuse it if too many jobs wait."""
        waiting, jobs = len(self.jobs()), self._jobs.get(address, deque())
        if len(jobs) >= max_jobs_per_address or waiting >= MAX_WAITING_JOBS:
            raise UnavailableError("busy", "The computer is busy: try again later.")
        self._jobs.setdefault(address, jobs).append(job)

    def jobs(self) -> list[_Job]:
        """Return the jobs that someone waits for."""
        self._drop_cancelled()
        return [job for jobs in self._jobs.values() for job in jobs]

    def take(self) -> _Job:
        """Return the next job, and put its address at the end of the queue."""
        address, jobs = next(iter(self._jobs.items()))
        del self._jobs[address]
        job = jobs.popleft()
        if jobs:
            self._jobs[address] = jobs
        return job

    def _drop_cancelled(self) -> None:
        for address, jobs in list(self._jobs.items()):
            awaited = deque(job for job in jobs if not job.done.done())
            if awaited:
                self._jobs[address] = awaited
            else:
                del self._jobs[address]


@dataclass(eq=False)
class _Process:
    """A worker process and its current job."""

    game: str
    pool: ProcessPoolExecutor
    job: _Job | None = None
    task: asyncio.Task[None] | None = None
    """The task that waits for the job."""
    since: float = 0.0
    """The time at which the process started its job or became idle."""


class WorkerPool:
    """Worker processes, started on demand; the longest idle process is replaced first."""

    def __init__(
        self,
        initializer: Callable[..., None],
        *arguments: object,
        max_processes: int,
        max_jobs_per_address: int = 10,
        on_end: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Store the limits.

        A new process calls `initializer`; `on_end` receives the game of an ended one. There are at
        most `max_processes` processes. At most `max_jobs_per_address` jobs of one address wait for
        the processes of a game.
        """
        self._initializer, self._arguments, self._on_end = initializer, arguments, on_end
        self._max_processes, self._max_jobs_per_address = max_processes, max_jobs_per_address
        self._processes: list[_Process] = []
        self._queues: dict[str, _Queue] = {}
        self._timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """End all processes, even in the middle of a computation."""
        if self._timer:
            self._timer.cancel()
        unfinished = [process.job for process in self._processes if process.job]
        for queue in self._queues.values():
            unfinished += queue.jobs()
        self._queues.clear()
        for process in list(self._processes):
            if process.task:
                process.task.cancel()
            self._kill(process)
        for job in unfinished:
            job.fail(UnavailableError("later", "The server stops: try again."))

    async def run(self, game: str, limit: float, work: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 # as the work takes them
        """Run work in a process of this game; raise TooSlow after `limit` seconds."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        queue = self._queues.setdefault(game, _Queue())
        queue.add(
            CLIENT_ADDRESS.get(), _Job(work, arguments, limit, done), self._max_jobs_per_address
        )
        self._assign()
        return await done

    def _assign(self) -> None:
        """Assign waiting jobs to processes."""
        loop = asyncio.get_running_loop()
        served = {process.game for process in self._processes}
        for game in sorted(self._queues, key=served.__contains__):  # games without a process first
            queue = self._queues[game]
            while queue.jobs() and (process := self._free_process(game, loop.time())):
                process.since, process.job = loop.time(), queue.take()
                process.task = loop.create_task(self._do(process, process.job))
            if not queue.jobs():
                del self._queues[game]
        if self._queues and not self._timer:  # a second process may start later
            self._timer = loop.call_later(SLOW_SECONDS, self._assign_later)

    def _assign_later(self) -> None:
        self._timer = None
        self._assign()

    def _free_process(self, game: str, now: float) -> _Process | None:
        """Return an idle process of this game, or a new one within the limits."""
        of_game = [process for process in self._processes if process.game == game]
        for process in of_game:
            if process.job is None:
                return process
        idle = [process for process in self._processes if process.job is None]
        room = self._max_processes - len(self._processes) + len(idle)
        if of_game:
            are_slow = all(now - process.since >= SLOW_SECONDS for process in of_game)
            if (
                not are_slow or len(of_game) >= MAX_PROCESSES_PER_GAME or room < 2
            ):  # keep one process for other games
                return None
        if not room:
            return None
        if len(self._processes) >= self._max_processes:
            self._kill(min(idle, key=lambda process: process.since))
        pool = ProcessPoolExecutor(
            1, get_context("spawn"), initializer=self._initializer, initargs=self._arguments
        )
        self._processes.append(_Process(game, pool))
        return self._processes[-1]

    async def _do(self, process: _Process, job: _Job) -> None:
        """Let a process do a job, and pass the result to the caller."""
        try:
            result = await self._result(process, job)
        except BrokenProcessPool:  # someone killed the process, or it ran out of memory
            self._kill(process)
            job.fail(UnavailableError("later", "The computer's process ended: try again."))
        except Exception as error:  # an error in the work itself
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
            if not work.done() and job.done.done():  # the caller no longer waits
                await asyncio.wait({work}, timeout=SLOW_SECONDS)
            if not work.done():
                self._kill(process)
                log("too slow", logging.WARNING, game=process.game, work=job.work.__name__)
                raise TooSlow("This takes too long to compute.")
            return work.result()
        finally:
            work.cancel()  # does nothing if the work is done

    def _kill(self, process: _Process) -> None:
        """End a process, even in the middle of a computation."""
        if process not in self._processes:
            return
        self._processes.remove(process)
        for running in list((process.pool._processes or {}).values()):  # noqa: SLF001 # the only way to kill them
            running.kill()
        process.pool.shutdown(wait=False, cancel_futures=True)
        self._on_end(process.game)
