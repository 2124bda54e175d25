"""Noughts and Crosses: three in a row on nine squares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import DRAW, Draw, Position, player
from duelbook.ranges import OWNER
from duelbook.scene import Scene, Slot, Slots

SQUARES = range(1, 10)
ROWS = (
    *((1, 2, 3), (4, 5, 6), (7, 8, 9)),
    *((1, 4, 7), (2, 5, 8), (3, 6, 9)),
    *((1, 5, 9), (3, 5, 7)),
)
MARKS = ("X", "O")
LABELS = ("Top row", "Middle row", "Bottom row")


@dataclass(frozen=True, slots=True)
class NoughtsAndCrosses(Position):
    """Mark three squares in a row before the other player does."""

    title = "Noughts and Crosses"
    ACTIONS = tuple(f"square {square}" for square in SQUARES)
    RANGES = {"squares": OWNER}

    squares: tuple[int | None, ...] = (None,) * len(SQUARES)  # the owner of each square

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        return [f"square {square}" for square in SQUARES if self.squares[square - 1] is None]

    def apply(self, move: str) -> Self:
        at = int(move.removeprefix("square ")) - 1
        squares = (*self.squares[:at], self.to_move, *self.squares[at + 1 :])
        return replace(self, to_move=1 - self.to_move, squares=squares)

    def winner(self) -> int | Draw | None:
        for row in ROWS:
            owners = {self.squares[square - 1] for square in row}
            if len(owners) == 1 and None not in owners:
                return owners.pop()
        return None if None in self.squares else DRAW

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return f"Welcome to Noughts and Crosses!\n\n{self.board()}"

    def turn(self) -> str:
        return f"{player(self.to_move)} ({MARKS[self.to_move]}) to move."

    def ask(self, words: tuple[str, ...]) -> str:
        return "Which square? " if words else ""

    def tell(self, move: str, after: Self) -> str:
        return f"{after.board()}\n\n{super(NoughtsAndCrosses, self).tell(move, after)}"

    def why_not(self, words: tuple[str, ...]) -> str:
        return f"Square {words[-1]} is taken."

    def board(self) -> str:
        cells = [
            str(square) if owner is None else MARKS[owner]
            for square, owner in zip(SQUARES, self.squares, strict=True)
        ]
        rows = [" | ".join(cells[at : at + 3]) for at in (0, 3, 6)]
        return "\n---------\n".join(rows)

    def scene(self) -> Scene:
        rows = [
            tuple(
                Slot(str(square), self.squares[square - 1], says=f"square {square}")
                for square in SQUARES[at : at + 3]
            )
            for at in (0, 3, 6)
        ]
        return tuple(
            Slots(label, row, does="mark one") for label, row in zip(LABELS, rows, strict=True)
        )
