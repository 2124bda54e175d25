"""A grid of characters with styles, and the rectangles on it that a click can select."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from duelbook.terminal.console.wrapping import shown_width


@dataclass(frozen=True)
class Spot:
    """A rectangle that stands for words of a move."""

    x: int
    y: int
    width: int
    height: int
    says: str

    def has(self, x: int, y: int) -> bool:
        """Return whether a place is inside the rectangle."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass
class Canvas:
    """Rows of characters with the names of their styles; text outside the grid is cut off."""

    width: int
    height: int
    spots: list[Spot] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.letters = [[" "] * self.width for _ in range(self.height)]
        self.styles = [[""] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> int:
        """Write a text, and return the column after it; wide letters take two columns."""
        for letter in text:
            wide = shown_width(letter)
            if not wide:  # it combines with the letter before it
                if 0 < x <= self.width and 0 <= y < self.height:
                    self.letters[y][x - 1] += letter
                continue
            if 0 <= y < self.height and x >= 0 and x + wide <= self.width:
                self.letters[y][x], self.styles[y][x] = letter, style
                if wide == 2:
                    self.letters[y][x + 1], self.styles[y][x + 1] = "", style
            x += wide
        return x

    def centred(self, x: int, y: int, width: int, text: str, style: str = "") -> None:
        """Write a text in the middle of some columns."""
        text = clipped(text, width)
        self.put(x + (width - shown_width(text)) // 2, y, text, style)

    def spot(self, x: int, y: int, width: int, height: int, says: str) -> None:
        """Let a rectangle stand for words of a move; do nothing without words."""
        if says:
            self.spots.append(Spot(x, y, width, height, says))

    def stamp(self, x: int, y: int, other: Canvas) -> None:
        """Copy another canvas onto this one."""
        for row in range(other.height):
            for column in range(other.width):
                letter, style = other.letters[row][column], other.styles[row][column]
                if (letter.strip() or style) and y + row < self.height and x + column < self.width:
                    self.letters[y + row][x + column] = letter
                    self.styles[y + row][x + column] = style
        for spot in other.spots:
            self.spots.append(replace(spot, x=spot.x + x, y=spot.y + y))

    def at(self, x: int, y: int) -> str:
        """Return the words of the rectangle at a place; the last rectangle is on top."""
        return next((spot.says for spot in reversed(self.spots) if spot.has(x, y)), "")

    def lines(self) -> list[str]:
        """Return the rows as text."""
        return ["".join(row).rstrip() for row in self.letters]


def clipped(text: str, width: int) -> str:
    """Return a text cut to a width, with an ellipsis if it was longer."""
    if shown_width(text) <= width:
        return text
    while text and shown_width(text) > width - 1:
        text = text[:-1]
    return f"{text}…" if width > 0 else ""
