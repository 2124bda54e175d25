"""Hexapawn: three pawns a side on nine squares; a player without a move loses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import Position, player, put
from duelbook.ranges import Subset
from duelbook.scene import Scene, Slot, Slots

SIZE = 3
SQUARES = range(SIZE * SIZE)  # 0 is a1, 1 is b1, and the last is c3
NAMES = tuple(f"{'abc'[square % SIZE]}{square // SIZE + 1}" for square in SQUARES)
HOMES = tuple(SQUARES[:SIZE]), tuple(SQUARES[-SIZE:])
FORWARD = (SIZE, -SIZE)


def _diagonal(square: int, seat: int) -> list[int]:
    """Return the squares on which a pawn may capture: one ahead, on the files beside it."""
    sides = [side for side in (-1, 1) if 0 <= square % SIZE + side < SIZE]
    targets = [square + FORWARD[seat] + side for side in sides]
    return [target for target in targets if target in SQUARES]


@dataclass(frozen=True, slots=True)
class Hexapawn(Position):
    """Bring a pawn to the other side, or leave the other player without a move."""

    ACTIONS = tuple(
        f"{NAMES[square]} {NAMES[target]}"
        for square in SQUARES
        for seat in (0, 1)
        for target in (square + FORWARD[seat], *_diagonal(square, seat))
        if target in SQUARES
    )
    RANGES = {"pawns": Subset(SQUARES)}

    pawns: tuple[tuple[int, ...], tuple[int, ...]] = HOMES

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        return [] if self._has_crossed() else self._steps()

    def _steps(self) -> list[str]:
        """Return the moves of the pawns: straight to a free square, or diagonally to capture."""
        me, ahead = self.to_move, FORWARD[self.to_move]
        mine, theirs = self.pawns[me], self.pawns[1 - me]
        steps = [(pawn, pawn + ahead) for pawn in mine if pawn + ahead not in mine + theirs]
        takes = [(pawn, to) for pawn in mine for to in _diagonal(pawn, me) if to in theirs]
        return [f"{NAMES[pawn]} {NAMES[target]}" for pawn, target in steps + takes]

    def apply(self, move: str) -> Self:
        me, other = self.to_move, 1 - self.to_move
        square, target = (NAMES.index(name) for name in move.split())
        moved = tuple(sorted(target if pawn == square else pawn for pawn in self.pawns[me]))
        left = tuple(pawn for pawn in self.pawns[other] if pawn != target)
        return replace(self, to_move=other, pawns=put((left, left), me, moved))

    def _has_crossed(self) -> bool:
        """Whether the player who has just moved has a pawn on the other side."""
        return any(pawn in HOMES[self.to_move] for pawn in self.pawns[1 - self.to_move])

    def winner(self) -> int | None:
        return 1 - self.to_move if self._has_crossed() or not self._steps() else None

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        goes = f"{player(0)} goes up, {player(1)} goes down."
        return f"Welcome to Hexapawn!\n{goes}\n\n{self.board()}"

    def ask(self, words: tuple[str, ...]) -> str:
        return "To which square? " if words else f"{player(self.to_move)}, which pawn? "

    def tell(self, move: str, after: Self) -> str:
        square, target = move.split()
        taken = NAMES.index(target) in self.pawns[1 - self.to_move]
        text = f"{player(self.to_move)} goes from {square} to {target}"
        text += " and takes a pawn." if taken else "."
        text += f"\n\n{after.board()}"
        winner = after.winner()
        if winner is None:
            return text
        stuck = "" if after._has_crossed() else f"{player(after.to_move)} has no move.\n"
        return f"{text}\n{stuck}{player(winner)} wins!"

    def why_not(self, words: tuple[str, ...]) -> str:
        if NAMES.index(words[0]) not in self.pawns[self.to_move]:
            return f"You have no pawn on {words[0]}."
        return "A pawn moves straight to a free square, or captures diagonally."

    def board(self) -> str:
        on = {pawn: "12"[seat] for seat in (0, 1) for pawn in self.pawns[seat]}
        rows = (SQUARES[rank * SIZE : (rank + 1) * SIZE] for rank in reversed(range(SIZE)))
        lines = [f"{row[0] // SIZE + 1}  {' '.join(on.get(s, '.') for s in row)}" for row in rows]
        return "\n".join([*lines, "   a b c"])

    def scene(self) -> Scene:
        on = {pawn: seat for seat in (0, 1) for pawn in self.pawns[seat]}
        rows = (SQUARES[rank * SIZE : (rank + 1) * SIZE] for rank in reversed(range(SIZE)))
        return tuple(
            Slots(
                f"Rank {row[0] // SIZE + 1}",
                tuple(Slot(NAMES[square], on.get(square), says=NAMES[square]) for square in row),
            )
            for row in rows
        )
