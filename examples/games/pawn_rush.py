"""Pawn Rush: three pawns a side; the first to cross the board wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import Position, player, put
from duelbook.ranges import Subset
from duelbook.scene import Scene, Slot, Slots

FILES, RANKS = 3, 6
SQUARES = range(FILES * RANKS)  # 0 is a1, 1 is b1, and the last is c6
NAMES = tuple(f"{'abc'[square % FILES]}{square // FILES + 1}" for square in SQUARES)
FORWARD = (1, -1)
HOMES = tuple(SQUARES[:FILES]), tuple(SQUARES[-FILES:])
SIDEWAYS = (-1, 0, 1)


def _targets(square: int, seat: int) -> list[int]:
    """Return the three squares before a pawn: left, straight and right."""
    file, rank = square % FILES, square // FILES + FORWARD[seat]
    on_board = 0 <= rank < RANKS
    return [rank * FILES + file + s for s in SIDEWAYS if on_board and 0 <= file + s < FILES]


TARGETS = tuple(tuple(_targets(square, seat) for square in SQUARES) for seat in (0, 1))


@dataclass(frozen=True, slots=True)
class PawnRush(Position):
    """Bring one of your three pawns to the other side, or take all of theirs."""

    ACTIONS = tuple(
        f"{NAMES[square]} {NAMES[target]}"
        for square in SQUARES
        for seat in (0, 1)
        for target in TARGETS[seat][square]
    )
    RANGES = {"pawns": Subset(SQUARES)}

    pawns: tuple[tuple[int, ...], tuple[int, ...]] = HOMES

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        me = self.to_move
        mine, theirs = self.pawns[me], self.pawns[1 - me]
        return [
            f"{NAMES[square]} {NAMES[target]}"
            for square in mine
            for target in TARGETS[me][square]
            if target not in mine
            # a straight move captures nothing
            and (target not in theirs or abs(target - square) != FILES)
        ]

    def apply(self, move: str) -> Self:
        me, other = self.to_move, 1 - self.to_move
        square, target = (NAMES.index(name) for name in move.split())
        moved = tuple(sorted(target if pawn == square else pawn for pawn in self.pawns[me]))
        left = tuple(pawn for pawn in self.pawns[other] if pawn != target)
        return replace(self, to_move=other, pawns=put((left, left), me, moved))

    def winner(self) -> int | None:
        for seat in (0, 1):
            through = any(pawn in HOMES[1 - seat] for pawn in self.pawns[seat])
            if through or not self.pawns[1 - seat]:
                return seat
        return None

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return f"Welcome to Pawn Rush!\nPlayer 1 goes up, Player 2 goes down.\n\n{self.board()}"

    def ask(self, words: tuple[str, ...]) -> str:
        return "To which square? " if words else "Which pawn? "

    def tell(self, move: str, after: Self) -> str:
        square, target = move.split()
        taken = len(after.pawns[1 - self.to_move]) < len(self.pawns[1 - self.to_move])
        text = f"{player(self.to_move)} goes from {square} to {target}"
        text += " and takes a pawn." if taken else "."
        won = f"\n{player(self.to_move)} wins!" if after.winner() is not None else ""
        return f"{text}\n\n{after.board()}{won}"

    def why_not(self, words: tuple[str, ...]) -> str:
        if NAMES.index(words[0]) not in self.pawns[self.to_move]:
            return f"You have no pawn on {words[0]}."
        return "A pawn moves ahead, straight or diagonally, and captures only diagonally."

    def board(self) -> str:
        on = {pawn: "12"[seat] for seat in (0, 1) for pawn in self.pawns[seat]}
        rows = (range(rank * FILES, (rank + 1) * FILES) for rank in reversed(range(RANKS)))
        lines = [f"{row[0] // FILES + 1}  {' '.join(on.get(s, '.') for s in row)}" for row in rows]
        return "\n".join([*lines, "   a b c"])

    def scene(self) -> Scene:
        return tuple(
            Slots("pawns", tuple(self._pawn(seat, pawn) for pawn in pawns), seat)
            for seat, pawns in enumerate(self.pawns)
        )

    def _pawn(self, seat: int, pawn: int) -> Slot:
        return Slot(NAMES[pawn], says=NAMES[pawn] if seat == self.to_move else "")
