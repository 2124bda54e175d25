"""Connect Four on 5 columns of 4 squares: line up four discs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Self

from duelbook.position import DRAW, Draw, Position, player
from duelbook.ranges import OWNER
from duelbook.scene import Scene, Slot, Slots

DISCS = ("X", "O")
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


@cache
def _lines(width: int, height: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return for each square the lines of four through it; square 0 is at the bottom left."""
    lines = [
        tuple((row + up * n) * width + column + right * n for n in range(4))
        for row in range(height)
        for column in range(width)
        for right, up in DIRECTIONS
        if column + right * 3 < width and 0 <= row + up * 3 < height
    ]
    squares = range(width * height)
    return tuple(tuple(line for line in lines if square in line) for square in squares)


@dataclass(frozen=True, slots=True)
class ConnectFour(Position):
    """Drop a disc into a column, and be the first with four in a row."""

    width, height = 5, 4
    ACTIONS = tuple(f"column {column}" for column in range(1, width + 1))
    RANGES = {"squares": OWNER, "four": range(2)}

    squares: tuple[int | None, ...] = (None,) * (width * height)  # row by row, from the bottom
    four: bool = False  # whether the last disc made four in a row

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.four:
            return []
        top = self.squares[-self.width :]
        return [f"column {column}" for column, disc in enumerate(top, 1) if disc is None]

    def apply(self, move: str) -> Self:
        me, squares = self.to_move, list(self.squares)
        square = int(move.removeprefix("column ")) - 1
        while squares[square] is not None:
            square += self.width  # a disc falls onto the discs below it
        squares[square] = me
        four = any(
            squares[a] == squares[b] == squares[c] == squares[d] == me
            for a, b, c, d in _lines(self.width, self.height)[square]
        )
        return type(self)(1 - me, tuple(squares), four)

    def winner(self) -> int | Draw | None:
        if self.four:
            return 1 - self.to_move
        return None if None in self.squares[-self.width :] else DRAW

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return f"Welcome to Connect Four!\n\n{self.board()}"

    def turn(self) -> str:
        return f"{player(self.to_move)} ({DISCS[self.to_move]}) to move."

    def ask(self, words: tuple[str, ...]) -> str:
        return "Which column? " if words else ""

    def tell(self, move: str, after: Self) -> str:
        return f"{after.board()}\n\n{super(ConnectFour, self).tell(move, after)}"

    def why_not(self, words: tuple[str, ...]) -> str:
        return f"Column {words[1]} is full."

    def board(self) -> str:
        shown = ["." if disc is None else DISCS[disc] for disc in self.squares]
        rows = [shown[at : at + self.width] for at in range(0, len(shown), self.width)]
        numbers = [str(column) for column in range(1, self.width + 1)]
        return "\n".join(" ".join(row) for row in [*reversed(rows), numbers])

    def scene(self) -> Scene:
        return tuple(
            Slots(
                f"Row {row + 1}",
                tuple(
                    Slot(
                        str(column + 1),
                        self.squares[row * self.width + column],
                        says=f"column {column + 1}",
                    )
                    for column in range(self.width)
                ),
            )
            for row in reversed(range(self.height))
        )
