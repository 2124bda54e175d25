"""Four Boxes: Dots and Boxes on nine dots. A player who closes a box moves again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import Position, player
from duelbook.ranges import OWNER, Subset
from duelbook.scene import Scene, Slot, Slots

LINES = range(1, 13)
BOXES = {"a": (1, 3, 4, 6), "b": (2, 4, 5, 7), "c": (6, 8, 9, 11), "d": (7, 9, 10, 12)}
TO_WIN = 3
ROWS = ((1, 2), (3, "a", 4, "b", 5), (6, 7), (8, "c", 9, "d", 10), (11, 12))


@dataclass(frozen=True, slots=True)
class FourBoxes(Position):
    """Draw lines between nine dots, and close three of the four boxes."""

    ACTIONS = tuple(f"line {line}" for line in LINES)
    RANGES = {"drawn": Subset(LINES), "boxes": OWNER}

    drawn: tuple[int, ...] = ()
    boxes: tuple[int | None, ...] = (None,) * len(BOXES)  # the owners of a, b, c and d

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        return [f"line {line}" for line in LINES if line not in self.drawn]

    def apply(self, move: str) -> Self:
        drawn = tuple(sorted((*self.drawn, int(move.removeprefix("line ")))))
        boxes = tuple(
            self.to_move if owner is None and set(sides) <= set(drawn) else owner
            for owner, sides in zip(self.boxes, BOXES.values(), strict=True)
        )
        again = boxes != self.boxes  # a player who closes a box draws another line
        mover = self.to_move if again else 1 - self.to_move
        return replace(self, to_move=mover, drawn=drawn, boxes=boxes)

    def winner(self) -> int | None:
        for seat in (0, 1):
            if self.boxes.count(seat) >= TO_WIN:
                return seat
        return None if None in self.boxes else 1 - self.to_move  # two each: the last to draw loses

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return f"Welcome to Four Boxes!\n\n{self.board()}"

    def ask(self, words: tuple[str, ...]) -> str:
        return "Which line? " if words else ""

    def tell(self, move: str, after: Self) -> str:
        me, closed = player(self.to_move), self.boxes.count(None) - after.boxes.count(None)
        text = f"{me} draws {move}"
        text += f" and closes {'a box' if closed == 1 else 'two boxes'}." if closed else "."
        text += f"\n\n{after.board()}"
        winner = after.winner()
        if winner is None:
            return text
        if self.boxes.count(winner) == after.boxes.count(winner) < TO_WIN:
            text += f"\nTwo boxes each, and {me} drew the last line."
        return f"{text}\n{player(winner)} wins!"

    def why_not(self, words: tuple[str, ...]) -> str:
        return f"Line {words[1]} is drawn already."

    def board(self) -> str:
        rows = []
        for row in ROWS:
            if "a" not in row and "c" not in row:
                rows.append(f"+{'+'.join('-----' if n in self.drawn else f'{n:^5}' for n in row)}+")
            else:
                rows.append("".join(self._shown(place) for place in row))
        return "\n".join(rows)

    def _shown(self, place: int | str) -> str:
        """Return the text of a line between two boxes, or of a box."""
        if isinstance(place, int):
            return "|" if place in self.drawn else str(place)
        owner = self.boxes["abcd".index(place)]
        return f"{'' if owner is None else f'P{owner + 1}':^5}"

    def scene(self) -> Scene:
        slots = (Slot(name, owner) for name, owner in zip(BOXES, self.boxes, strict=True))
        lines = (Slot(str(n), spent=n in self.drawn, says=f"line {n}") for n in LINES)
        return (Slots("Boxes", tuple(slots)), Slots("Lines to draw", tuple(lines)))
