"""The background tasks of rooms: at most one of each name per room, retried when they fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from duelbook.errors import DuelbookError
from duelbook.system.json_logs import LOG, log
from duelbook.web.games.commands import Refusal
from duelbook.web.games.presence import LiveRoom
from duelbook.web.store.store import StoreError

RETRY_SECONDS = 2.0
"""The time before a failed task is retried."""
TEMPORARY = ("stale", "over", "busy", "later")
"""The codes of refusals after which the room is scheduled again."""


class RoomTasks:
    """Starts the tasks of rooms."""

    schedule: Callable[[LiveRoom], None]
    """Starts all tasks that a room waits for; `Automation` sets it."""

    def start(self, live: LiveRoom, name: str, work: Callable[[LiveRoom], Awaitable[None]]) -> None:
        """Start a task unless it is running; after it, schedule the room again."""
        if name in live.tasks:
            return

        async def attempt() -> None:
            again = True
            try:
                await work(live)
            except Refusal as refusal:
                again = refusal.code in TEMPORARY  # other refusals are final
                if refusal.code in ("busy", "later"):
                    await asyncio.sleep(RETRY_SECONDS)
            except DuelbookError as error:
                log("task failed", logging.WARNING, what=name, why=str(error))
                again = isinstance(error, StoreError)  # other errors are final
                await asyncio.sleep(RETRY_SECONDS)
            except Exception:
                again = False
                LOG.exception("failed: %s", name)
            finally:
                if live.tasks.get(name) is task:
                    del live.tasks[name]
            if again:
                self.schedule(live)

        task = live.tasks[name] = asyncio.create_task(attempt())
