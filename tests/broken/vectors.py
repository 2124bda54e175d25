"""The rules over arrays forget that the last stone wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from duelbook import Position

SIZE = 6
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BrokenVectors(Position):
    """The rules over arrays forget that the last stone wins."""

    ACTIONS = ("take 1",)
    vectors = __name__
    heap: int = 5

    def moves(self) -> list[str]:
        return ["take 1"] if self.heap else []

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, heap=self.heap - 1)

    def winner(self) -> int | None:
        return None if self.heap else 1 - self.to_move


def pack(position: BrokenVectors) -> int:
    """Return the number of a position."""
    return position.heap


def unpack(code: int, first: int) -> BrokenVectors:
    """Return the position of a number."""
    return BrokenVectors(to_move=first ^ (code + 1) % 2, heap=code)


def expand(codes: Codes, first: int) -> tuple[Codes, Codes, Codes]:
    """Return how many moves there are, which, and where they lead."""
    return (codes > 0).astype(int), np.zeros((codes > 0).sum(), int), codes[codes > 0] - 1


def outcome(
    codes: Codes, first: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]]:
    """Return the seat to move, the winner and whether a ruling decides."""
    mover = (first ^ (codes + 1) % 2).astype(np.int8)
    return mover, np.full(len(codes), -1, np.int8), np.zeros(len(codes), np.bool_)
