"""Two Dice Race: run by one die or by both, and send the other runner back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from duelbook.position import CHANCE, Listener, Position, player, put
from duelbook.ranges import OWNER
from duelbook.scene import Gauge, Scene, Slot, Slots

START, HOME = 0, 24
SAFE = (START, 6, 12, 18)
PIPS = range(1, 7)
ROLLS = {f"dice {low} {high}": (low, high) for low in PIPS for high in PIPS if low <= high}


@dataclass(frozen=True, slots=True)
class TwoDiceRace(Position):
    """Roll two dice and run by one of them or by both; the first runner who is home wins."""

    ACTIONS = tuple(f"run {steps}" for steps in range(1, 13))
    CHANCE_MOVES = tuple(ROLLS)
    RANGES = {"places": range(HOME + 1), "runner": OWNER, "roll": (None, *ROLLS)}

    to_move: int = CHANCE
    places: tuple[int, int] = (START, START)
    runner: int = 0  # whose turn it is, also while chance rolls the dice
    roll: str | None = None  # the roll of the dice, until the runner runs

    # Rules ----------------------------------------------------------------------------------

    @classmethod
    def start(cls, first: int = 0) -> Self:
        return cls(runner=first)

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        if self.roll is None:
            return list(ROLLS)
        low, high = ROLLS[self.roll]
        return [f"run {steps}" for steps in sorted({low, high, low + high})]

    def odds(self) -> Mapping[str, int]:
        return {roll: 1 if low == high else 2 for roll, (low, high) in ROLLS.items()}

    def apply(self, move: str) -> Self:
        me, other = self.runner, 1 - self.runner
        if self.roll is None:
            return type(self)(me, self.places, me, move)
        place = self.places[me] + int(move.removeprefix("run "))
        if place > HOME:
            place = HOME - (place - HOME)  # a runner who would go too far turns back at home
        places = put(self.places, me, place)
        if place == self.places[other] and place not in SAFE:
            places = put(places, other, START)
        return type(self)(other if place == HOME else CHANCE, places, other)

    def winner(self) -> int | None:
        return self.places.index(HOME) if HOME in self.places else None

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return (
            f"Welcome to the Two Dice Race!\nHome is place {HOME}, and a run must end there. "
            "On 6, 12 and 18 you are safe from the other runner."
        )

    def turn(self) -> str:
        return "" if self.to_move == CHANCE else f"{self.board()}\n{player(self.runner)}'s turn."

    def ask(self, words: tuple[str, ...]) -> str:
        steps = ", ".join(move.removeprefix("run ") for move in self.moves())
        return f"How many steps ({steps})? " if words else ""

    def tell(self, move: str, after: Self) -> str:
        me, other = self.runner, 1 - self.runner
        if self.roll is None:
            low, high = ROLLS[move]
            return f"{player(me)} rolls {low} and {high}."
        if after.winner() is not None:
            return f"{player(me)} is home.\n{player(me)} wins!"
        text = f"{player(me)} runs {move.removeprefix('run ')} and comes to {after.places[me]}."
        back = after.places[other] != self.places[other]
        return f"{text}\n{player(other)} goes back to the start." if back else text

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        me, other = listener.who(self.runner), listener.who(1 - self.runner)
        if self.roll is None:
            low, high = ROLLS[move]
            return f"{me.opens('roll')} {low} and {high}."
        text = f"{me.opens('run')} {move.removeprefix('run ')}, to {after.places[self.runner]}."
        back = after.places[1 - self.runner] != self.places[1 - self.runner]
        return f"{text} {other.opens('go')} back to the start." if back else text

    def why_won(self, listener: Listener, winner: int) -> str:
        return f"{listener.who(winner).opens('win')} by being home first."

    def why_not(self, words: tuple[str, ...]) -> str:
        return "You can run by one of the dice, or by both together."

    def board(self) -> str:
        places = "\n".join(f"{player(s)}: place {self.places[s]} of {HOME}" for s in (0, 1))
        return (
            places if self.roll is None else f"{places}\nRolled: {self.roll.removeprefix('dice ')}"
        )

    def scene(self) -> Scene:
        places = tuple(Gauge("", self.places[seat], HOME, seat) for seat in (0, 1))
        if self.roll is None:
            return places
        runs = (Slot(move.removeprefix("run "), says=move) for move in self.moves())
        return (*places, Slots("Run", tuple(runs)))
