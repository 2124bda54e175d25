"""Nim: take sticks from one heap at a time; the last stick wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import Position, count, player
from duelbook.scene import Scene, Stack

HEAPS = (3, 5, 7)


def _takes(heaps: tuple[int, ...]) -> list[str]:
    """Return each way to take sticks from one of these heaps."""
    return [
        f"heap {number} take {sticks}"
        for number, heap in enumerate(heaps, 1)
        for sticks in range(1, heap + 1)
    ]


@dataclass(frozen=True, slots=True)
class Nim(Position):
    """Take as many sticks as you like from one of three heaps; the last stick wins."""

    ACTIONS = tuple(_takes(HEAPS))
    RANGES = {"heaps": range(max(HEAPS) + 1)}

    heaps: tuple[int, ...] = HEAPS

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        return _takes(self.heaps)

    def apply(self, move: str) -> Self:
        _, heap, _, sticks = move.split()
        heaps = list(self.heaps)
        heaps[int(heap) - 1] -= int(sticks)
        return replace(self, to_move=1 - self.to_move, heaps=tuple(heaps))

    def winner(self) -> int | None:
        return None if any(self.heaps) else 1 - self.to_move  # the player who took the last stick

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return f"Welcome to Nim!\nThe player who takes the last stick wins.\n\n{self.board()}"

    def ask(self, words: tuple[str, ...]) -> str:
        match words:
            case ():
                return ""  # every move begins with a heap
            case ("heap",):
                left = [str(number) for number, heap in enumerate(self.heaps, 1) if heap]
                return f"{player(self.to_move)}, from which heap ({', '.join(left)})? "
            case ("heap", _):
                return ""
            case _:
                return f"How many sticks (1-{self.heaps[int(words[1]) - 1]})? "

    def tell(self, move: str, after: Self) -> str:
        _, heap, _, sticks = move.split()
        text = f"{player(self.to_move)} takes {count(int(sticks), 'stick')} from heap {heap}."
        winner = after.winner()
        if winner is None:
            return f"{text}\n\n{after.board()}"
        return f"{text}\nThat was the last one. {player(winner)} wins!"

    def why_not(self, words: tuple[str, ...]) -> str:
        left = self.heaps[int(words[1]) - 1]
        return f"There {'is' if left == 1 else 'are'} {count(left, 'stick')} in heap {words[1]}."

    def board(self) -> str:
        return "\n".join(
            f"Heap {number}: {'| ' * heap}({heap})" for number, heap in enumerate(self.heaps, 1)
        )

    def scene(self) -> Scene:
        return tuple(
            Stack(f"Heap {number}", heap, says=f"heap {number}", limit=max(HEAPS))
            for number, heap in enumerate(self.heaps, 1)
        )
