"""The rules and the text of Tower Defense Duel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import BOOK, Listener, Position, count, player, put
from duelbook.scene import Gauge, Scene

GOAL = 15
BUILDS = (1, 2, 4)
ATTACK = 3


@dataclass(frozen=True, slots=True)
class TowerDefenseDuel(Position):
    """Build to exactly 15 units, and attack the other tower."""

    title = "Tower Defense Duel"
    ACTIONS = (*(f"build {units}" for units in BUILDS), "attack")
    RANGES = {"towers": range(GOAL + BUILDS[-1])}  # a tower of 14 units can grow by 4

    towers: tuple[int, int] = (0, 0)

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        builds = [f"build {units}" for units in BUILDS]  # building past the goal is legal (TD-R1)
        can_attack = self.towers[1 - self.to_move] >= ATTACK
        return [*builds, "attack"] if can_attack else builds

    def apply(self, move: str) -> Self:
        me, opponent = self.to_move, 1 - self.to_move
        if move == "attack":
            towers = put(self.towers, opponent, self.towers[opponent] - ATTACK)
        else:
            units = int(move.removeprefix("build "))
            towers = put(self.towers, me, self.towers[me] + units)
        return replace(self, to_move=opponent, towers=towers)

    def winner(self) -> int | None:
        for seat, height in enumerate(self.towers):
            if height == GOAL:
                return seat
            if height > GOAL:  # overshooting loses at once (TD-R1)
                return 1 - seat
        return None

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return (
            "Welcome to Tower Defense Duel!\n"
            f"Build your tower to exactly {GOAL} units. Overshooting loses."
        )

    def turn(self) -> str:
        return (
            f"{player(self.to_move)}, it's your turn.\n"
            f"Your tower height: {self.towers[self.to_move]}\n"
            f"Opponent's tower height: {self.towers[1 - self.to_move]}"
        )

    def ask(self, words: tuple[str, ...]) -> str:
        return "Enter the number of units (1, 2 or 4): " if words else "Enter your move: "

    def tell(self, move: str, after: Self) -> str:
        me, opponent = player(self.to_move), player(1 - self.to_move)
        height = after.towers[self.to_move]
        if move == "attack":
            return (
                f"{me} attacks and removes {count(ATTACK, 'unit')}.\n"
                f"Opponent's tower height is now {after.towers[1 - self.to_move]}."
            )
        units = int(move.removeprefix("build "))
        text = f"{me} builds {count(units, 'unit')}.\nYour tower height is now {height}."
        if height == GOAL:
            text += f"\n{me}'s tower is now exactly {GOAL} units tall.\n{me} wins!"
        elif height > GOAL:
            text += f"\n{me}'s tower exceeds {GOAL} units and collapses.\n{opponent} wins!"
        return text

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        me, opponent = listener.who(self.to_move), listener.who(1 - self.to_move)
        if move == "attack":
            height = after.towers[1 - self.to_move]
            return f"{me.opens('attack')}: {opponent.whose} tower falls to {count(height, 'unit')}."
        units = int(move.removeprefix("build "))
        return f"{me.opens('build')} {count(units, 'unit')}, up to {after.towers[self.to_move]}."

    def why_won(self, listener: Listener, winner: int) -> str:
        victor, loser = listener.who(winner), listener.who(1 - winner)
        if self.towers[winner] == GOAL:
            return f"{victor.opens('win')} with a tower of exactly {GOAL} units."
        return f"{loser.opens_whose()} tower exceeds {GOAL} units, so {victor.does('win')}."

    def why_not(self, words: tuple[str, ...]) -> str:
        return self.why_not_to(BOOK, words)

    def why_not_to(self, listener: Listener, words: tuple[str, ...]) -> str:
        opponent, height = listener.who(1 - self.to_move), self.towers[1 - self.to_move]
        return (
            f"{opponent.opens_whose()} tower has only {count(height, 'unit')}: "
            f"you can attack from {ATTACK} units up, so you must build."
        )

    def board(self) -> str:
        return "\n".join(f"{player(s)} Tower Height: {self.towers[s]}" for s in (0, 1))

    def scene(self) -> Scene:
        says = put(("attack", "attack"), self.to_move, "build")
        does = put((f"Attack −{ATTACK}",) * 2, self.to_move, "Build")  # noqa: RUF001 # a minus
        return tuple(Gauge("", self.towers[s], GOAL, s, "tower", says[s], does[s]) for s in (0, 1))
