"""A small vocabulary of pictures: a game describes its position, each front end draws it."""

from dataclasses import dataclass

from duelbook.hidden import Hidden


@dataclass(frozen=True)
class Text:
    """A line of words."""

    words: str


@dataclass(frozen=True)
class Gauge:
    """A quantity out of a limit, such as a tower of at most 15 units."""

    label: str
    value: int
    limit: int
    seat: int | None = None


@dataclass(frozen=True)
class Stack:
    """A pile of equal things; a sealed pile is one whose size may not be known."""

    label: str
    count: int | Hidden
    seat: int | None = None


@dataclass(frozen=True)
class Slot:
    """One place among several: what it is called, whose it is, and whether it is used up."""

    name: str
    seat: int | None = None
    spent: bool = False


@dataclass(frozen=True)
class Slots:
    """A row of places, such as planets, or all of one seat's, such as the ships of a fleet."""

    label: str
    slots: tuple[Slot, ...]
    seat: int | None = None


@dataclass(frozen=True)
class Track:
    """A line of numbered places from 0 to `last`, with a unit and a base for each seat."""

    last: int
    units: tuple[int, int]
    bases: tuple[int, int]


Shape = Text | Gauge | Stack | Slots | Track
Scene = tuple[Shape, ...]
