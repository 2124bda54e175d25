"""What is computed in turns on a server, computed at once."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


def at_once(work: Generator[None, None, T]) -> T:
    """Return what a generator returns in the end."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
