"""The means of a long computation: processes, a cluster, the disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from duelbook.exact.breadth_first import Expander
from duelbook.exact.expansion import expand
from duelbook.exact.space import Space
from duelbook.position import Position


@dataclass(frozen=True)
class Means:
    """Where the rules are asked, and where the arrays are."""

    processes: int = 1
    ray: str = ""
    """The address of a Ray cluster, which replaces the processes."""
    disk: Path | None = None
    """The folder for arrays that may be larger than the memory."""

    @property
    def space(self) -> Space:
        """The space for arrays."""
        return Space(self.disk)

    @contextmanager
    def expander(self, game: type[Position]) -> Iterator[Expander]:
        """Yield what asks the rules of a game."""
        from duelbook.exact import remote  # processes and Ray are rarely needed

        if self.ray:
            with remote.on_ray(game, self.ray) as there:
                yield there
        elif self.processes > 1:
            with remote.in_processes(game, self.processes) as beside:
                yield beside
        else:
            yield lambda coding, slices: (expand(game, coding, codes) for codes in slices)


PLAIN = Means()
"""One process, in memory."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
