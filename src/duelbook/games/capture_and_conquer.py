"""The rules and the text of Capture and Conquer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import Listener, Position, player, put
from duelbook.scene import Scene, Track

BASES = (0, 10)
FORWARD = (1, -1)  # Player 2 always moves towards 0 (CC-R1)
STEPS = (1, 2)


@dataclass(frozen=True, slots=True)
class CaptureAndConquer(Position):
    """Race to the enemy base; capture the unit on the way."""

    title = "Capture and Conquer"
    ACTIONS = tuple(f"move {steps}" for steps in STEPS)
    RANGES = {"units": range(BASES[0], BASES[1] + 1)}

    units: tuple[int, int] = BASES

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        board = range(BASES[0], BASES[1] + 1)  # a unit never moves past the base (CC-R2)
        return [f"move {steps}" for steps in STEPS if self._target(steps) in board]

    def _target(self, steps: int) -> int:
        """Return where the unit of the player to move stands after these steps."""
        return self.units[self.to_move] + steps * FORWARD[self.to_move]

    def apply(self, move: str) -> Self:
        me, opponent = self.to_move, 1 - self.to_move
        units = put(self.units, me, self._target(int(move.removeprefix("move "))))
        if units[me] == units[opponent]:  # the attacker wins the battle
            units = put(units, opponent, BASES[opponent])
        return replace(self, to_move=opponent, units=units)

    def winner(self) -> int | None:
        for seat in (0, 1):
            if self.units[seat] == BASES[1 - seat]:  # even if the enemy unit is there (CC-R3)
                return seat
        return None

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return (
            "Welcome to Capture and Conquer!\n\n"
            f"Player 1's base is at position {BASES[0]}.\n"
            f"Player 2's base is at position {BASES[1]}.\n\n"
            f"{player(self.to_move)} starts first.\n\n"
            f"{self.board()}"
        )

    def ask(self, words: tuple[str, ...]) -> str:
        return "Enter your move (1 or 2 positions forward): " if words else ""

    def tell(self, move: str, after: Self) -> str:
        me, opponent = player(self.to_move), player(1 - self.to_move)
        target = after.units[self.to_move]
        text = f"\n{me} moves to position {target}.\n"
        if after.winner() is not None:
            text += f"{me} has reached {opponent}'s base!\n{me} wins the game!\n\nFinal "
        elif target == self.units[1 - self.to_move]:
            text += (
                f"Battle occurs at position {target}!\n"
                f"{me} wins the battle.\n"
                f"{opponent}'s unit is sent back to base.\n\n"
            )
        return text + after.board()

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        me, opponent = listener.who(self.to_move), listener.who(1 - self.to_move)
        target = after.units[self.to_move]
        if after.winner() is None and target == self.units[1 - self.to_move]:
            wins = f"{me.opens('win')} the battle at position {target}"
            return f"{wins}: {opponent.whose} unit is sent back to base."
        return f"{me.opens('move')} to position {target}."

    def why_won(self, listener: Listener, winner: int) -> str:
        reaching = f"by reaching {listener.who(1 - winner).whose} base"
        return f"{listener.who(winner).opens('win')} {reaching}."

    def why_not(self, words: tuple[str, ...]) -> str:
        place = self.units[self.to_move]
        target = self._target(int(words[1]))
        return f"Position {target} is beyond the board: from position {place} you can only move 1."

    def board(self) -> str:
        cells = [
            f"[{cell}{''.join(f' P{seat + 1}' for seat in (0, 1) if self.units[seat] == cell)}]"
            for cell in range(BASES[0], BASES[1] + 1)
        ]
        return f"Positions: {''.join(cells)}"

    def scene(self) -> Scene:
        steps_to = {self._target(steps): steps for steps in STEPS}
        says, does = [""] * (BASES[1] + 1), [""] * (BASES[1] + 1)
        for cell in steps_to.keys() & range(BASES[0], BASES[1] + 1):
            says[cell] = f"move {steps_to[cell]}"
            battles = cell == self.units[1 - self.to_move]
            does[cell] = "Capture" if battles else f"Move {steps_to[cell]}"
        return (Track(BASES[1], self.units, BASES, tuple(says), tuple(does)),)
