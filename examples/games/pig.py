"""Pig: roll as often as you dare; a 1 loses the points of the turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from duelbook.position import CHANCE, Listener, Position, count, player, put
from duelbook.ranges import OWNER
from duelbook.scene import Gauge, Scene, Slot, Slots

DIE = {f"die {pips}": pips for pips in range(1, 7)}


@dataclass(frozen=True, slots=True)
class Pig(Position):
    """Be the first with 100 points; a 1 loses the points of the turn."""

    goal = 100
    ACTIONS = ("roll", "hold")
    CHANCE_MOVES = tuple(DIE)
    ALIASES = {"r": "roll", "h": "hold"}
    RANGES = {"points": range(goal), "turn_total": range(goal + 6), "roller": OWNER}

    points: tuple[int, int] = (0, 0)
    turn_total: int = 0
    roller: int | None = None  # the seat that rolls, while chance is to move

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.to_move == CHANCE:
            return list(DIE)
        if self.winner() is not None:
            return []
        return ["roll", "hold"] if self.turn_total else ["roll"]

    def apply(self, move: str) -> Self:
        after = type(self)  # called with all fields, which is faster than `replace`
        me, points, total = self.to_move, self.points, self.turn_total
        if move == "roll":
            return after(CHANCE, points, total, me)
        if move == "hold":
            return after(1 - me, put(points, me, points[me] + total), 0, None)
        pips, roller = DIE[move], self.roller or 0
        if pips == 1:
            return after(1 - roller, points, 0, None)
        return after(roller, points, total + pips, None)

    def winner(self) -> int | None:
        me = self.to_move
        return me if me != CHANCE and self.points[me] + self.turn_total >= self.goal else None

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return (
            f"Welcome to Pig!\nThe first player with {self.goal} points wins. "
            "Roll as often as you like, but a 1 loses the points of the turn."
        )

    def turn(self) -> str:
        begins = self.to_move != CHANCE and not self.turn_total
        return f"{self.board()}\n{player(self.to_move)}'s turn." if begins else ""

    def ask(self, words: tuple[str, ...]) -> str:
        return f"{player(self.to_move)}, roll{' or hold' if self.turn_total else ''}? "

    def tell(self, move: str, after: Self) -> str:
        if move == "roll":
            return ""  # the text of the die follows
        if move == "hold":
            me = self.to_move
            return f"{player(me)} holds and now has {count(after.points[me], 'point')}."
        text = f"{player(self.roller or 0)} rolls a {DIE[move]}"
        if DIE[move] == 1:
            return f"{text}, and gets nothing for this turn."
        text += f": {count(after.turn_total, 'point')} in this turn."
        winner = after.winner()
        return text if winner is None else f"{text}\nThat makes {self.goal}. {player(winner)} wins!"

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        if move == "roll":
            return ""  # the text of the die follows
        if move == "hold":
            points = count(after.points[self.to_move], "point")
            return f"{listener.who(self.to_move).opens('hold')}, with {points} now."
        text = f"{listener.who(self.roller or 0).opens('roll')} a {DIE[move]}"
        if DIE[move] == 1:
            return f"{text}: nothing for this turn."
        return f"{text}: {count(after.turn_total, 'point')} in this turn."

    def why_won(self, listener: Listener, winner: int) -> str:
        return f"{listener.who(winner).opens('win')} with {self.goal} points."

    def why_not(self, words: tuple[str, ...]) -> str:
        return "A turn begins with a roll."

    def board(self) -> str:
        lines = [f"{player(seat)}: {count(self.points[seat], 'point')}" for seat in (0, 1)]
        turn = [f"In this turn: {count(self.turn_total, 'point')}"] if self.turn_total else []
        return "\n".join([*lines, *turn])

    def scene(self) -> Scene:
        return (
            *(Gauge("points", self.points[seat], self.goal, seat) for seat in (0, 1)),
            Gauge("In this turn", self.turn_total, self.goal),
            Slots("The die", tuple(Slot(move, says=move) for move in self.ACTIONS)),
        )
