"""Supervised work that runs as long as the server: log a failure, then restart the work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from duelbook.json_logs import LOG

PAUSE = 1.0
"""Seconds before failed work restarts."""


def supervise(what: str, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
    """Start work in a task; restart it after a failure until it returns or is cancelled."""
    return asyncio.create_task(_restart_on_failure(what, work), name=what)


async def _restart_on_failure(what: str, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            return await work()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task and task.cancelling():
                raise
            LOG.exception("failed: %s", what)  # someone cancelled a task that the work awaits
        except Exception:
            LOG.exception("failed: %s", what)
        await asyncio.sleep(PAUSE)


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks, and wait until they have ended."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
