"""Tasks that a test starts and waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


def start_tasks(*works: object) -> list[asyncio.Task[object]]:
    return [asyncio.create_task(work) for work in works]  # type: ignore[arg-type] # coroutines


async def run_until_waiting() -> None:
    """Let new tasks run until they wait for something."""
    for _ in range(5):
        await asyncio.sleep(0)


async def wait_for_condition(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)
