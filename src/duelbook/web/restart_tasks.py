"""Run work as long as the server runs; log a failure, then restart the work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from duelbook.system.json_logs import LOG

PAUSE_SECONDS = 1.0
"""The pause before failed work restarts."""


def supervise(name: str, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
    """Start work in a task; restart it after a failure until it returns or is cancelled."""
    return asyncio.create_task(_restart_on_failure(name, work), name=name)


async def _restart_on_failure(name: str, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            return await work()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task and task.cancelling():
                raise
            LOG.exception("failed: %s", name)  # another task, which the work awaits, was cancelled
        except Exception:
            LOG.exception("failed: %s", name)
        await asyncio.sleep(PAUSE_SECONDS)


async def cancel_and_wait(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks, and wait until they have ended."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
