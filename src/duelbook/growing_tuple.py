"""`GrowingTuple`: an immutable sequence whose longer versions share items with shorter ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


class GrowingTuple(Generic[T]):
    """An immutable sequence with a cheap `plus`.

    Versions share one list, and each is a prefix of it. If the list has already grown beyond a
    version, `plus` copies that version's items first.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def plus(self, *more: T) -> GrowingTuple[T]:
        """Return the sequence with these items appended."""
        items = self._items
        if len(items) != self._length or not items:  # all empty versions share one list
            items = items[: self._length]
        items += more
        return self._prefix(items, self._length + len(more))

    def up_to(self, length: int) -> GrowingTuple[T]:
        """Return the first `length` items."""
        return self._prefix(self._items, min(length, self._length))

    @staticmethod
    def _prefix(items: list[T], length: int) -> GrowingTuple[T]:
        prefix = GrowingTuple.__new__(GrowingTuple)
        prefix._items, prefix._length = items, length  # noqa: SLF001 # the same class
        return prefix

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, at: int) -> T:
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._items[at % self._length]

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GrowingTuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"GrowingTuple({list(self)})"
