"""The backend of a search expands positions and numbers them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Protocol, TypeVar

from duelbook.position import Position
from duelbook.solver.enumeration.expansion import Expansion, expand
from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.tables.numbering import Numberer, Numbering
from duelbook.solver.tables.packing import Codes
from duelbook.solver.tables.position_table import Coding

QUEUE_PER_WORKER = 4
"""The number of queued slices per processor, so that none is idle."""
MIN_SLICES = 4
"""The minimum number of slices to send to workers; fewer are faster in this process."""
A = TypeVar("A")
B = TypeVar("B")


class Backend(Protocol):
    """Runs the work of a search: in this process, in others, or on a cluster."""

    def expand(self, coding: Coding, slices: Iterable[Codes]) -> Iterator[Expansion]:
        """Expand slices of positions, and yield the expansions in order."""

    def numberer(self, words: int) -> Numberer:
        """Return a new numberer of codes, which replaces the previous one."""


class LostError(Exception):
    """The cluster has lost the numberer of codes and all its numbers."""


class LocalBackend:
    """Runs a search in this process."""

    def __init__(self, game: type[Position], space: ArrayStorage) -> None:
        self.game, self.space = game, space

    def expand(self, coding: Coding, slices: Iterable[Codes]) -> Iterator[Expansion]:
        """Expand slices of positions, and yield the expansions in order."""
        return (expand(self.game, coding, codes) for codes in slices)

    def numberer(self, words: int) -> Numberer:
        """Return a numberer of codes."""
        return Numbering(words, self.space)


def in_order(
    send: Callable[[A], B], items: Iterable[A], queue_length: int
) -> Iterator[tuple[A, B]]:
    """Send items ahead of use, and yield each with the result of `send`, in order."""
    remaining = iter(items)
    waiting = deque((item, send(item)) for item in islice(remaining, queue_length))
    while waiting:
        yield waiting.popleft()
        waiting.extend((item, send(item)) for item in islice(remaining, 1))
