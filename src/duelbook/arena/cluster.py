"""Plays the games of a cup on a Ray cluster."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from duelbook.arena.cup import Cup
from duelbook.arena.game import GameRecord
from duelbook.arena.schedule import Task
from duelbook.arena.workers import play_in_processes
from duelbook.errors import DuelbookError

TOGETHER = 16
"""Games in a task of Ray, which plays them again elsewhere if a machine is lost."""


def play_on_ray(
    tasks: list[Task], cup: Cup, sources: tuple[str, ...], address: str
) -> Iterator[list[GameRecord]]:
    """Play games on a cluster, one processor for each task, and yield them as they end."""
    try:
        import ray
    except ImportError as error:
        raise DuelbookError(
            "This needs ray, which is not installed: pip install 'duelbook[cluster]'."
        ) from error
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise DuelbookError(f"No Ray cluster answers at {address}.") from error
    try:
        play = ray.remote(num_cpus=1)(_play)
        parts = [tasks[at : at + TOGETHER] for at in range(0, len(tasks), TOGETHER)]
        waiting = [play.remote(part, cup, sources) for part in parts]
        while waiting:
            ready, waiting = ray.wait(waiting, num_returns=1)
            yield ray.get(ready[0])
    finally:
        ray.shutdown()


def _play(tasks: list[Task], cup: Cup, sources: tuple[str, ...]) -> list[GameRecord]:
    """Play games in a process of their own: a player may end it, or hang."""
    played = play_in_processes(tasks, cup, sources, processes=1)
    return [game for games in played for game in games]
