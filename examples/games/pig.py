"""Pig: roll as often as you dare, and lose the turn's points with a 1."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import LUCK, Position, put

GOAL = 100
DIE = range(1, 7)


@dataclass(frozen=True, slots=True)
class Pig(Position):
    """Be the first to bank 100 points; a 1 loses what the turn has brought so far."""

    ACTIONS = ("roll", "hold")
    CHANCES = tuple(f"die {pips}" for pips in DIE)
    RANGES = {
        "points": range(GOAL),
        "turn_total": range(GOAL + DIE[-1]),
        "roller": (None, range(2)),
    }

    points: tuple[int, int] = (0, 0)
    turn_total: int = 0
    roller: int | None = None  # whose die is in the air

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        if self.to_move == LUCK:
            return list(self.CHANCES)
        return ["roll", "hold"] if self.turn_total else ["roll"]

    def play(self, move: str) -> Self:
        me = self.to_move
        if move == "roll":
            return replace(self, to_move=LUCK, roller=me)
        if move == "hold":
            banked = put(self.points, me, self.points[me] + self.turn_total)
            return replace(self, to_move=1 - me, points=banked, turn_total=0)
        pips, roller = int(move.removeprefix("die ")), self.roller or 0
        if pips == 1:
            return replace(self, to_move=1 - roller, turn_total=0, roller=None)
        return replace(self, to_move=roller, turn_total=self.turn_total + pips, roller=None)

    def winner(self) -> int | None:
        if self.to_move == LUCK or self.points[self.to_move] + self.turn_total < GOAL:
            return None
        return self.to_move
