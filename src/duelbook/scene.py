"""The shapes of a picture: a game describes its position with them, and each front end draws them.

A `form` names the look of a shape. A front end that does not know the form draws the plain shape.
`says` holds the words of a move that a click on the shape enters, such as `attack` or `planet 3`.
If no legal move has these words, a click does nothing.

`does` says in a word or two what that click does, such as `Build`; a front end shows it where it
can be done. Where a number follows in the moves, as in `build 4`, it is chosen at the same shape.
`amounts` holds other words whose number is chosen there too.

A shape with a `seat` belongs to that player, and its `label` says what it is, such as `ships`. A
front end puts the owner before it: `Your ships`, `Ann's ships`. Without a label it is the player.
"""

from dataclasses import dataclass

from duelbook.hidden import Hidden


@dataclass(frozen=True)
class Text:
    """A line of text."""

    words: str


@dataclass(frozen=True)
class Gauge:
    """A quantity with a limit, such as a tower of at most 15 units; the plain shape is a bar.

    The form `tower` is upright, with a mark at the limit, and breaks beyond it. The form `island`
    rises out of the sea by its value.
    """

    label: str
    value: int
    limit: int
    seat: int | None = None
    form: str = ""
    says: str = ""
    does: str = ""
    amounts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stack:
    """A pile of equal things, or one of HIDDEN size; the plain shape is a row of chips.

    The form `sea` is as deep as its count. Other forms are `coins`, `shields`, and `envelope` for
    something revealed later.
    `limit` is the most that the pile can hold, for pictures that leave room for it.
    """

    label: str
    count: int | Hidden
    seat: int | None = None
    form: str = ""
    says: str = ""
    limit: int | None = None
    does: str = ""
    amounts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slot:
    """One place among several: its name, its owner, and whether it is used up."""

    name: str
    seat: int | None = None
    spent: bool = False
    says: str = ""


@dataclass(frozen=True)
class Slots:
    """A row of places, shared or one seat's, such as a hand of cards; the plain shape is boxes.

    The forms `planets` and `ships` grow in size along the row. `does` is about any of the places.
    """

    label: str
    slots: tuple[Slot, ...]
    seat: int | None = None
    form: str = ""
    does: str = ""


@dataclass(frozen=True)
class Track:
    """A line of numbered places from 0 to `last`, with a unit and a base for each seat.

    `says` holds the words of each place, in order, and `does` what a click there does.
    """

    last: int
    units: tuple[int, int]
    bases: tuple[int, int]
    says: tuple[str, ...] = ()
    does: tuple[str, ...] = ()


Shape = Text | Gauge | Stack | Slots | Track
Scene = tuple[Shape, ...]


def label_of(shape: Shape) -> str:
    """Return the label of a shape without its owner, whom a game may have named in it."""
    label: str = getattr(shape, "label", "")
    seat = getattr(shape, "seat", None)
    return label if seat is None else label.removeprefix(f"Player {seat + 1}").lstrip()
