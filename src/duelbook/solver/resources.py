"""The resources of a long computation: processes, a cluster, the disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from duelbook.position import Position
from duelbook.solver.backends.backend import Backend, LocalBackend
from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.values.backward_induction import BackupRunner, run_locally
from duelbook.system import cluster


@dataclass(frozen=True)
class Resources:
    """The resources of a computation: where it runs, and where it stores its arrays."""

    processes: int = 1
    ray: str = ""
    """The address of a Ray cluster, which runs the work instead of processes."""
    disk: Path | None = None
    """The folder for arrays that may be larger than the memory."""

    @property
    def space(self) -> ArrayStorage:
        """The storage for arrays."""
        return ArrayStorage(self.disk)

    def connected(self) -> AbstractContextManager[object]:
        """Return a context that stays connected to the cluster, if there is one."""
        return cluster.connected(self.ray) if self.ray else nullcontext()

    @contextmanager
    def workers(self, game: type[Position]) -> Iterator[Backend]:
        """Yield the backend of a search."""
        if self.ray:
            from duelbook.solver.backends.ray_backend import on_ray  # rarely needed

            with on_ray(game, self.ray, self.disk) as backend:
                yield backend
        elif self.processes > 1:
            from duelbook.solver.backends.process_backend import in_processes  # as above

            with in_processes(game, self.space, self.processes) as backend:
                yield backend
        else:
            yield LocalBackend(game, self.space)

    @contextmanager
    def backups(self) -> Iterator[BackupRunner]:
        """Yield the runner of backups."""
        if self.ray:
            from duelbook.solver.backends.ray_scoring import backups_on_ray  # as above

            with backups_on_ray(self.ray) as backend:
                yield backend
        else:
            yield run_locally


PLAIN = Resources()
"""One process, in memory."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
