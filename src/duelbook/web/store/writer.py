"""The writer: it commits rows in batches. Rows that arrive during a commit form the next batch.

Many games need few commits. No event is acknowledged before its commit. Every job gets a result
within the timeout: its rows are stored, or a number is taken, or the commit failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from duelbook.web.restart_tasks import end, supervise
from duelbook.web.store.database import StoreError

GameRow = tuple[str, str, str, int]
"""The columns of the table `games`, in their order."""
EventRow = tuple[str, int, int, str, int | None, str]
"""The columns of the table `events`, in their order."""

UNSAVED = "The database could not save this: try again."
STOPPING = "The server is stopping: try again."


@dataclass(frozen=True, slots=True)
class CommitBatch:
    """The rows of one commit."""

    games: list[GameRow]
    events: list[EventRow]
    heartbeat: int | None = None
    """The time of a heartbeat in milliseconds, if one is due."""


class CommitBackend(Protocol):
    """A connection to a database, for one commit at a time."""

    def commit(self, batch: CommitBatch) -> Awaitable[int]:
        """Commit all rows or none, and return the number of new events.

        An event whose number is taken changes nothing.
        """

    def drop(self) -> None:
        """Drop the connection after a failure; the next commit opens a new one."""

    async def close(self) -> None:
        """Disconnect."""


class CommitJob:
    """Rows that wait for a commit, and the future for its result."""

    __slots__ = ("done", "events", "game", "heartbeat")

    def __init__(
        self,
        done: asyncio.Future[bool],
        events: list[EventRow],
        game: GameRow | None = None,
        heartbeat: int | None = None,
    ) -> None:
        self.done, self.events, self.game, self.heartbeat = done, events, game, heartbeat

    def answer(self, stored: bool) -> None:
        """Report the result, unless the future is already done."""
        if not self.done.done():
            self.done.set_result(stored)

    def fail(self, error: Exception) -> None:
        """Report that the rows may not be stored, unless the future is already done."""
        if not self.done.done():
            self.done.set_exception(error)
            self.done.exception()  # the caller may be gone: then asyncio must not log the error


class Writer:
    """Commits jobs, one batch at a time."""

    def __init__(
        self,
        backend: CommitBackend,
        timeout: float,
        is_stored: Callable[[EventRow], Awaitable[bool]],
        committed: Callable[[int, float], None],
        failed: Callable[[StoreError, int], None],
    ) -> None:
        """Prepare the writer.

        `is_stored` looks for a row in the database. `committed` receives the number of jobs and
        the seconds of each commit. `failed` receives the error and the number of jobs.
        """
        self._backend, self._timeout = backend, timeout
        self._is_stored, self._committed, self._failed = is_stored, committed, failed
        self._waiting: list[CommitJob] = []
        self._writing: list[CommitJob] = []
        self._since = 0.0  # the arrival of the first job in `_waiting`
        self._begun = 0.0  # the arrival of the first job in `_writing`
        self._asleep: asyncio.Future[None] | None = None
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start the task of the writer."""
        self._loop = asyncio.get_running_loop()  # a later lookup would cost a system call
        self._task = supervise("writer", self._run)

    def put(
        self, events: list[EventRow], game: GameRow | None = None, heartbeat: int | None = None
    ) -> asyncio.Future[bool]:
        """Queue rows; the result is True once they are on disk, False if a number is taken."""
        done: asyncio.Future[bool] = self._loop.create_future()
        if self._closing:
            done.set_exception(StoreError(STOPPING))
            return done
        if not self._waiting:
            self._since = self._loop.time()
            self._wake()
        self._waiting.append(CommitJob(done, events, game, heartbeat))
        return done

    def oldest(self) -> float:
        """Return the age in seconds of the oldest job that is not answered."""
        if self._writing:
            return self._loop.time() - self._begun
        return self._loop.time() - self._since if self._waiting else 0.0

    async def close(self) -> None:
        """Write the waiting jobs within the timeout, and disconnect; fail the others."""
        self._closing = True
        if self._task:
            self._wake()
            await asyncio.wait({self._task}, timeout=self._timeout)
            await end(self._task)
            for job in self._waiting:
                job.fail(StoreError(STOPPING))
        await self._backend.close()

    def _wake(self) -> None:
        if self._asleep and not self._asleep.done():
            self._asleep.set_result(None)

    # In a separate task -------------------------------------------------------------------------

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            if not self._waiting:
                self._asleep = self._loop.create_future()
                await self._asleep
                continue
            self._writing, self._waiting = self._waiting, []
            self._begun = self._since
            try:
                await self._write(self._writing)
            finally:
                for job in self._writing:  # this fails only the jobs without a result
                    job.fail(StoreError(UNSAVED))
                self._writing = []

    async def _write(self, jobs: list[CommitJob]) -> None:
        """Answer all jobs."""
        begun = self._loop.time()
        deadline = begun + self._timeout
        if await self._commit(jobs, deadline):
            self._committed(len(jobs), self._loop.time() - begun)
        elif len(jobs) > 1:
            for job in jobs:  # one of them may be the cause: commit each alone
                await self._commit([job], deadline)

    async def _commit(self, jobs: list[CommitJob], deadline: float) -> bool:
        """Commit all jobs or none, and return whether it worked; a single job gets its error."""
        batch = CommitBatch(
            [job.game for job in jobs if job.game],
            [row for job in jobs for row in job.events],
            max((job.heartbeat for job in jobs if job.heartbeat), default=None),
        )
        try:
            async with asyncio.timeout_at(deadline):
                new = await self._backend.commit(batch)
                for job in jobs:
                    if new == len(batch.events):
                        job.answer(stored=True)
                    else:
                        job.answer(stored=all([await self._is_stored(row) for row in job.events]))
        except Exception as error:  # drivers have errors of their own
            self._backend.drop()
            failure = StoreError(UNSAVED)
            failure.__cause__ = error
            self._failed(failure, len(jobs))
            if len(jobs) == 1:
                jobs[0].fail(failure)
            return False
        return True
