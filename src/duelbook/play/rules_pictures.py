"""Pictures in a rules page: each fenced block names a position by the moves that lead to it.

A block begins with three backquotes and the word `picture`. Its first line has the moves from the
start, separated by commas, or `start` alone. The other lines are the caption.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce

from duelbook.play.match import Match
from duelbook.position import Position
from duelbook.secrecy import public_view

KIND = "picture"
START = "start"
BLOCK = re.compile(rf"^```{KIND}\n(.*?)^```\n+", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class PictureBlock:
    """The moves from the start to a position, and the caption of its picture."""

    moves: tuple[str, ...]
    caption: str

    @classmethod
    def read(cls, text: str) -> PictureBlock:
        """Return the block from the text between its fences."""
        line, _, caption = text.strip().partition("\n")
        moves = () if line.strip() == START else tuple(map(str.strip, line.split(",")))
        return cls(moves, " ".join(caption.split()))


def pictures_of(page: str) -> list[PictureBlock]:
    """Return the pictures of a rules page, in order."""
    return [PictureBlock.read(text) for text in BLOCK.findall(page)]


def without_pictures(page: str) -> str:
    """Return a rules page without its pictures."""
    return BLOCK.sub("", page)


def position_of(game: type[Position], block: PictureBlock) -> Position:
    """Return the position of a picture as both players may see it; refuse illegal moves."""
    match = reduce(Match.play, block.moves, Match.begin(game))
    return public_view(match.position)
