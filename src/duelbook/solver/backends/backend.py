"""The work of a search: it asks the rules, and gives positions their numbers."""

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
"""The slices that wait for each processor, so that none is idle."""
MIN_SLICES = 4
"""With fewer slices, it takes longer to send them out than to do the work here."""
A = TypeVar("A")
B = TypeVar("B")


class Backend(Protocol):
    """What does the work of a search: in this process, in others, or on a cluster."""

    def expand(self, coding: Coding, slices: Iterable[Codes]) -> Iterator[Expansion]:
        """Ask the rules about slices of positions, and yield the answers in order."""

    def numberer(self, words: int) -> Numberer:
        """Return what gives codes their numbers, in place of the last one."""


class LostError(Exception):
    """What gave codes their numbers is gone, with all that it knew."""


class LocalBackend:
    """Does the work of a search in this process."""

    def __init__(self, game: type[Position], space: ArrayStorage) -> None:
        self.game, self.space = game, space

    def expand(self, coding: Coding, slices: Iterable[Codes]) -> Iterator[Expansion]:
        """Ask the rules about slices of positions, and yield the answers in order."""
        return (expand(self.game, coding, codes) for codes in slices)

    def numberer(self, words: int) -> Numberer:
        """Return what gives codes their numbers."""
        return Numbering(words, self.space)


def in_order(send: Callable[[A], B], items: Iterable[A], ahead: int) -> Iterator[tuple[A, B]]:
    """Send items out, some ahead, and yield each with what `send` returned, in order."""
    coming = iter(items)
    waiting = deque((item, send(item)) for item in islice(coming, ahead))
    while waiting:
        yield waiting.popleft()
        waiting.extend((item, send(item)) for item in islice(coming, 1))
