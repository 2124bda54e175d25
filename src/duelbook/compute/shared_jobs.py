"""Shared jobs: callers with the same key share one job, which is cancelled if all callers leave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(eq=False)
class _Job(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class SharedJobs(Generic[T]):
    """The running jobs by key."""

    def __init__(self) -> None:
        self._jobs: dict[Hashable, _Job[T]] = {}

    async def get(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the job with this key; start it unless it runs."""
        job = self._jobs.get(key)
        if job is None:
            job = self._jobs[key] = _Job(asyncio.create_task(work()))
        job.waiting += 1
        try:
            return await asyncio.shield(job.task)
        finally:
            job.waiting -= 1
            if not job.waiting:
                job.task.cancel()  # does nothing if the task is done
                if self._jobs.get(key) is job:
                    del self._jobs[key]
