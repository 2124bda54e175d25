"""Play the games of a tournament on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator

from duelbook.arena.run.game_record import GameRecord
from duelbook.arena.run.game_workers import play_in_processes
from duelbook.arena.tournament.schedule import GameTask
from duelbook.arena.tournament.tournament_file import Tournament
from duelbook.system import cluster

GAMES_PER_TASK = 16
"""The number of games in a Ray task; Ray repeats a task elsewhere if a machine is lost."""


def play_on_ray(
    tasks: list[GameTask], tournament: Tournament, sources: tuple[str, ...], address: str
) -> Iterator[list[GameRecord]]:
    """Play games on a cluster, one processor per task, and yield them as they end."""
    with cluster.connected(address) as ray:
        play = ray.remote(num_cpus=1)(_play)
        parts = [tasks[at : at + GAMES_PER_TASK] for at in range(0, len(tasks), GAMES_PER_TASK)]
        waiting = [play.remote(part, tournament, sources) for part in parts]
        while waiting:
            ready, waiting = ray.wait(waiting, num_returns=1)
            yield ray.get(ready[0])


def _play(
    tasks: list[GameTask], tournament: Tournament, sources: tuple[str, ...]
) -> list[GameRecord]:
    """Play games in a separate process, because a player may end it or hang."""
    played = play_in_processes(tasks, tournament, sources, processes=1)
    return [game for games in played for game in games]
