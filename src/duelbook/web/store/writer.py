"""The writer: it commits rows in batches. Rows that arrive during a commit form the next batch.

Many games need few commits. No event is acknowledged before its commit. Every job gets a result
within the timeout: its rows are stored, or the number of an event is already in use, or the commit
failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from duelbook.web.restart_tasks import cancel_and_wait, supervise
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

        An event whose number is already in use changes nothing.
        """

    def drop(self) -> None:
        """Drop the connection after a failure; the next commit opens a new one."""

    async def close(self) -> None:
        """Disconnect."""


class CommitJob:
    """Rows that wait for a commit, and the future for its result."""

    __slots__ = ("events", "game", "heartbeat", "result")

    def __init__(
        self,
        result: asyncio.Future[bool],
        events: list[EventRow],
        game: GameRow | None = None,
        heartbeat: int | None = None,
    ) -> None:
        self.result, self.events, self.game, self.heartbeat = result, events, game, heartbeat

    def answer(self, stored: bool) -> None:
        """Report the result, unless the future is already done."""
        if not self.result.done():
            self.result.set_result(stored)

    def fail(self, error: Exception) -> None:
        """Report that the rows may not be stored, unless the future is already done."""
        if not self.result.done():
            self.result.set_exception(error)
            self.result.exception()  # the caller may be gone: then asyncio must not log the error


class Writer:
    """Commits jobs, one batch at a time."""

    def __init__(
        self,
        backend: CommitBackend,
        timeout: float,
        is_stored: Callable[[EventRow], Awaitable[bool]],
        on_commit: Callable[[int, float], None],
        on_failure: Callable[[StoreError, int], None],
    ) -> None:
        """Prepare the writer.

        `is_stored` looks for a row in the database. `on_commit` receives the number of jobs and
        the seconds of each commit. `on_failure` receives the error and the number of jobs.
        """
        self._backend, self._timeout = backend, timeout
        self._is_stored, self._on_commit, self._on_failure = is_stored, on_commit, on_failure
        self._waiting: list[CommitJob] = []
        self._writing: list[CommitJob] = []
        self._waiting_since = 0.0  # the arrival of the first job in `_waiting`
        self._writing_since = 0.0  # the arrival of the first job in `_writing`
        self._wakeup: asyncio.Future[None] | None = None
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start the task of the writer."""
        self._loop = asyncio.get_running_loop()  # a later lookup would cost a system call
        self._task = supervise("writer", self._run)

    def put(
        self, events: list[EventRow], game: GameRow | None = None, heartbeat: int | None = None
    ) -> asyncio.Future[bool]:
        """Queue rows, and return the future of their commit.

        It is True once the rows are on disk, or False if the number of an event is already in use.
        """
        result: asyncio.Future[bool] = self._loop.create_future()
        if self._closing:
            result.set_exception(StoreError(STOPPING))
            return result
        if not self._waiting:
            self._waiting_since = self._loop.time()
            self._wake()
        self._waiting.append(CommitJob(result, events, game, heartbeat))
        return result

    def oldest_age(self) -> float:
        """Return the age in seconds of the oldest job that is not answered."""
        if self._writing:
            return self._loop.time() - self._writing_since
        return self._loop.time() - self._waiting_since if self._waiting else 0.0

    async def close(self) -> None:
        """Write the waiting jobs within the timeout, and disconnect; fail the others."""
        self._closing = True
        if self._task:
            self._wake()
            await asyncio.wait({self._task}, timeout=self._timeout)
            await cancel_and_wait(self._task)
            for job in self._waiting:
                job.fail(StoreError(STOPPING))
        await self._backend.close()

    def _wake(self) -> None:
        if self._wakeup and not self._wakeup.done():
            self._wakeup.set_result(None)

    # In a separate task -------------------------------------------------------------------------

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            if not self._waiting:
                self._wakeup = self._loop.create_future()
                await self._wakeup
                continue
            self._writing, self._waiting = self._waiting, []
            self._writing_since = self._waiting_since
            try:
                await self._write(self._writing)
            finally:
                for job in self._writing:  # this fails only the jobs without a result
                    job.fail(StoreError(UNSAVED))
                self._writing = []

    async def _write(self, jobs: list[CommitJob]) -> None:
        """Commit the jobs in one batch; if that fails, commit each job alone."""
        begun = self._loop.time()
        deadline = begun + self._timeout
        if await self._commit(jobs, deadline):
            self._on_commit(len(jobs), self._loop.time() - begun)
        elif len(jobs) > 1:
            for job in jobs:  # one of them may be the cause
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
            self._on_failure(failure, len(jobs))
            if len(jobs) == 1:
                jobs[0].fail(failure)
            return False
        return True
