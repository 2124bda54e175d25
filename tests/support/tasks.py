"""Tasks that a test starts and waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


def begun(*works: object) -> list[asyncio.Task[object]]:
    return [asyncio.create_task(work) for work in works]  # type: ignore[arg-type] # coroutines


async def started() -> None:
    """Let new tasks run until they wait for something."""
    for _ in range(5):
        await asyncio.sleep(0)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)
