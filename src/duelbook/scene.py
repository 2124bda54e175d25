"""The shapes of a picture. A game describes its position with them; each front end draws them.

A `form` names the look of a shape. A front end that does not know the form draws the plain shape.
`says` holds the words of a move that a click on the shape enters, such as `attack` or `planet 3`.
If no legal move has these words, a click does nothing.

`does` names the effect of that click in a word or two, such as `Build`. A front end shows it if the
click enters a legal move. If a number follows in the move, as in `build 4`, the player chooses the
number at the same shape. `amounts` holds other words whose number the player chooses there.

A shape with a `seat` belongs to that player, and its `label` names the thing, such as `ships`. A
front end puts the owner before the label: `Your ships`, `Ann's ships`. A shape with a `seat` and no
label stands for the player.
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

    The form `tower` is upright, has a mark at the limit, and breaks beyond it. The form `island`
    is a hill whose height is the value.
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

    The depth of the form `sea` is its count. Other forms are `coins`, `shields`, and `envelope` for
    something that is revealed later. `limit` is the maximum size of the pile, for pictures that
    leave room for it.
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
    """A row of places, such as a hand of cards; the plain shape is a row of boxes.

    The row is shared or belongs to one seat. In the forms `planets` and `ships`, the places grow
    along the row. `does` applies to each of the places.
    """

    label: str
    slots: tuple[Slot, ...]
    seat: int | None = None
    form: str = ""
    does: str = ""


@dataclass(frozen=True)
class Track:
    """A line of numbered places from 0 to `last`, with a unit and a base for each seat.

    `says` holds the words of each place, in order, and `does` the effect of a click on each.
    """

    last: int
    units: tuple[int, int]
    bases: tuple[int, int]
    says: tuple[str, ...] = ()
    does: tuple[str, ...] = ()


Shape = Text | Gauge | Stack | Slots | Track
Scene = tuple[Shape, ...]


def label_of(shape: Shape) -> str:
    """Return the label of a shape without the owner's name, which a game may have put into it."""
    label: str = getattr(shape, "label", "")
    seat = getattr(shape, "seat", None)
    return label if seat is None else label.removeprefix(f"Player {seat + 1}").lstrip()
