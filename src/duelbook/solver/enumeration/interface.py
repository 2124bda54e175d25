"""The interface of the enumerators, which find all positions of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from duelbook.errors import TooLarge
from duelbook.position import Position
from duelbook.solver.tables.position_table import Coding, Table

Progress = Callable[[int], object]
"""Called with the number of positions so far."""


@dataclass(frozen=True)
class EnumerationTask:
    """A game to enumerate, and the limit of its size."""

    game: type[Position]
    first: int
    coding: Coding
    max_positions: int | None = None
    progress: Progress | None = None

    def report(self, count: int) -> None:
        """Report the number of positions so far; refuse a number above the maximum."""
        report(count, self.max_positions, self.progress)


class Enumerator(Protocol):
    """Finds all positions that are reachable from the start, and the moves between them.

    Every enumerator returns the same positions and moves. Position 0 is the start, and positions
    are ordered by distance from it; the order within a layer may differ. An enumerator calls
    `task.report` with the number of positions at least once per layer.
    """

    def enumerate(self, task: EnumerationTask) -> Table:
        """Return the table of a game; raise TooLarge above the maximum number of positions."""


def report(count: int, max_positions: int | None, progress: Progress | None) -> None:
    """Report the number of positions so far; refuse a number above the maximum."""
    if max_positions is not None and count > max_positions:
        raise TooLarge(f"The game has more than {max_positions:,} positions.")
    if progress is not None:
        progress(count)
