"""A small vocabulary of pictures: a game describes its position, each front end draws it.

A `form` is a word for what a shape looks like, for front ends that can draw it; where it is empty
or unknown to them, the shape is drawn plainly, so every form is only a wish. `says` are the words
of a move that one means by pointing at the thing: `attack`, or `planet 3`. Where no legal move has
these words, pointing means nothing.
"""

from dataclasses import dataclass

from duelbook.hidden import Hidden


@dataclass(frozen=True)
class Text:
    """A line of words."""

    words: str


@dataclass(frozen=True)
class Gauge:
    """A quantity out of a limit, such as a tower of at most 15 units; plainly, a bar.

    A `tower` stands upright beside a mark at its limit, and breaks beyond it. An `island` stands
    as far out of the sea as its value says.
    """

    label: str
    value: int
    limit: int
    seat: int | None = None
    form: str = ""
    says: str = ""


@dataclass(frozen=True)
class Stack:
    """A pile of equal things; a sealed pile is one whose size may not be known; plainly, chips.

    A `sea` is as deep as its count. There are `coins` and `shields`, and an `envelope` holds what
    is revealed later. `limit` is the most that the pile can hold, for a picture that has to leave
    room for it.
    """

    label: str
    count: int | Hidden
    seat: int | None = None
    form: str = ""
    says: str = ""
    limit: int | None = None


@dataclass(frozen=True)
class Slot:
    """One place among several: what it is called, whose it is, and whether it is used up."""

    name: str
    seat: int | None = None
    spent: bool = False
    says: str = ""


@dataclass(frozen=True)
class Slots:
    """A row of places, or all of one seat's, such as the cards of a hand; plainly, boxes.

    There are `planets` and `ships`, each larger than the one before.
    """

    label: str
    slots: tuple[Slot, ...]
    seat: int | None = None
    form: str = ""


@dataclass(frozen=True)
class Track:
    """A line of numbered places from 0 to `last`, with a unit and a base for each seat.

    `says` has the words of each place, in their order.
    """

    last: int
    units: tuple[int, int]
    bases: tuple[int, int]
    says: tuple[str, ...] = ()


Shape = Text | Gauge | Stack | Slots | Track
Scene = tuple[Shape, ...]
