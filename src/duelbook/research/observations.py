"""Observations: a view as numbers between 0 and 1, from the perspective of its seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.exact.enumeration import enumerate_game
from duelbook.exact.tables import Table
from duelbook.position import Position
from duelbook.ranges import OWNER, Owner, Subset

Observation = NDArray[np.float32]
Numbers = tuple[float, ...]
Seats = NDArray[np.int8]
MINE_AND_THEIRS = ("my", "opponent's")
FLAG = "0 or 1"
LARGEST = 100_000  # the most positions to enumerate for undeclared ranges


@dataclass(frozen=True)
class Entry:
    """One number of an observation, and its meaning."""

    name: str
    meaning: str


class Observer:
    """Encodes views of a game as arrays of a fixed size.

    The seat and the turn come first, then the fields in the order of the class. In a pair, the
    seat's own item comes before the opponent's.
    """

    def __init__(self, game: type[Position]) -> None:
        self.game = game
        unknown = set(game.RANGES) - {field.name for field in fields(game)}
        if unknown:
            raise DuelbookError(
                f"RANGES names {min(unknown)!r}, which is not a field of {game.title}."
            )
        self._fields = [_Field(game, field.name) for field in fields(game)]
        seat = Entry("I am Player 2", FLAG)  # the rules may treat the seats differently
        self.entries = (seat, *(entry for field in self._fields for entry in field.entries()))
        self._known: tuple[list[dict[object, Numbers]], ...] = tuple(
            [{} for _ in self._fields] for _ in (0, 1)
        )

    @property
    def size(self) -> int:
        """The number of entries of an observation."""
        return len(self.entries)

    def __call__(self, position: Position, seat: int) -> Observation:
        """Return a seat's observation of a position, made from the seat's view."""
        view = position.view(seat)
        numbers: Numbers = (float(seat),)
        for field, known in zip(self._fields, self._known[seat], strict=True):
            value = getattr(view, field.name)
            found = known.get(value)
            if found is None:
                found = known[value] = tuple(field.numbers(value, seat))
            numbers += found
        return np.array(numbers, np.float32)

    def of_many(self, fields: Mapping[str, NDArray[np.int8]], seats: Seats) -> Observation:
        """Return the observations of seats, one row each, of positions as `Vectors.fields`."""
        columns = [seats.astype(np.float32)]
        for field in self._fields:
            columns += field.columns(fields[field.name], seats)
        return np.stack(columns, axis=1)


_observers: dict[type[Position], Observer] = {}


def observer(game: type[Position]) -> Observer:
    """Return the observer of a game."""
    if game not in _observers:
        _observers[game] = Observer(game)
    return _observers[game]


class _Field:
    """The encoding of one field: a tree of tuples, with the shape that it has at the start.

    A leaf has numbers for each kind of value that it may hold; those of the other kinds are 0.
    """

    def __init__(self, game: type[Position], name: str) -> None:
        self.name = name
        self._title = game.title
        self._start = getattr(game(), name)
        declared = OWNER if name == "to_move" else game.RANGES.get(name)
        self._has_subsets = _offers_subset(declared)
        if declared is None:
            declared = self._found(game)
        self._options = declared if isinstance(declared, tuple) else (declared,)
        self._lift = len(self._options) > 1  # then 0 means another kind of value
        self._known: tuple[dict[object, Numbers], dict[object, Numbers]] = ({}, {})

    def entries(self) -> Iterator[Entry]:
        """Yield the name and meaning of each number of this field."""
        if self.name == "to_move":
            yield from (Entry(f"{whose} turn", FLAG) for whose in MINE_AND_THEIRS)
            return
        for name, _ in self._leaves(self._start, self._start, 0, self.name.replace("_", " ")):
            for option in self._options:
                yield from _entries(name, option, lift=self._lift)

    def numbers(self, value: object, seat: int) -> Iterator[float]:
        """Return a value of this field as numbers."""
        for _, leaf in self._leaves(value, self._start, seat):
            if leaf not in self._known[seat]:
                self._known[seat][leaf] = self._leaf(leaf, seat)
            yield from self._known[seat][leaf]

    def _leaf(self, leaf: object, seat: int) -> Numbers:
        found = [_numbers(leaf, option, seat, lift=self._lift) for option in self._options]
        if not any(found):
            raise DuelbookError(
                f"{self._title}: {self.name} may not be {leaf!r}; see the game's RANGES."
            )
        pairs = zip(found, self._options, strict=True)
        return sum((some or (0.0,) * len(_entries("", option)) for some, option in pairs), ())

    def _leaves(
        self, value: object, shape: object, seat: int, name: str = ""
    ) -> Iterator[tuple[str, object]]:
        if not isinstance(shape, tuple) or self._is_subset(shape):
            yield name, value
            return
        items = (
            value if isinstance(value, tuple) else (value,) * len(shape)
        )  # the whole field is hidden
        if len(items) != len(shape):
            raise DuelbookError(
                f"{self._title}: {self.name} changes its length, and only a Subset may."
            )
        order, names = list(range(len(shape))), [f"{name} {at + 1}" for at in range(len(shape))]
        if len(shape) == 2:
            order, names = [seat, 1 - seat], [f"{whose} {name}" for whose in MINE_AND_THEIRS]
        for at, named in zip(order, names, strict=True):
            yield from self._leaves(items[at], shape[at], seat, named)

    def _found(self, game: type[Position]) -> tuple[object, ...]:
        """Return the range of an undeclared field, from all positions."""
        values = set[object]()
        tables = [enumerate_game(game, first=first, most=LARGEST) for first in (0, 1)]
        for position, seat in product(chain(*(table.positions for table in tables)), (0, 1)):
            value = getattr(position.view(seat), self.name)
            values |= {leaf for _, leaf in self._leaves(value, self._start, seat)}
        numbers = sorted(value for value in values if isinstance(value, int))
        others = sorted((value for value in values if not isinstance(value, int)), key=str)
        return (*([range(numbers[0], numbers[-1] + 1)] if numbers else []), *others)

    def columns(self, values: NDArray[np.int8], seats: Seats) -> list[Observation]:
        """Return the numbers of many values at once, one array per entry."""
        if self.name == "to_move":
            return [(values == seats).astype(np.float32), (values != seats).astype(np.float32)]
        return self._columns(values, self._start, seats)

    def _columns(self, values: NDArray[np.int8], shape: object, seats: Seats) -> list[Observation]:
        if not isinstance(shape, tuple) or self._is_subset(shape):
            return [c for option in self._options for c in _columns(values, option, seats)]
        rows = np.arange(len(values))
        items = [values[:, at] for at in range(len(shape))]
        if len(shape) == 2:
            items = [values[rows, seats], values[rows, 1 - seats]]
        pairs = zip(items, shape, strict=True)
        return [column for item, part in pairs for column in self._columns(item, part, seats)]

    def _is_subset(self, shape: tuple[object, ...]) -> bool:
        return self._has_subsets and not any(isinstance(item, tuple) for item in shape)


def _offers_subset(declared: object) -> bool:
    options = declared if isinstance(declared, tuple) else (declared,)
    return any(isinstance(option, Subset) for option in options)


def _entries(name: str, option: object, *, lift: bool = False) -> list[Entry]:
    """Yield the name and meaning of the numbers for one kind of value of a leaf."""
    if isinstance(option, range):
        scaled = "scaled to above 0 to 1, else 0" if lift else "scaled to 0 to 1"
        return [Entry(name, f"{option[0]} to {option[-1]}, {scaled}")]
    if isinstance(option, Owner):
        return [Entry(f"{name} is {whose}", FLAG) for whose in ("mine", "the opponent's")]
    if isinstance(option, Subset):
        return [Entry(f"{name}: {number}", FLAG) for number in option.numbers]
    return [Entry(f"{name} is {str(option).lower()}", FLAG)]


def _numbers(leaf: object, option: object, seat: int, *, lift: bool) -> tuple[float, ...]:
    """Return the numbers of a leaf for one kind of value, or none if it holds another kind."""
    if isinstance(option, range):
        if not isinstance(leaf, int) or leaf not in option:
            return ()
        return ((leaf - option[0] + lift) / max(1, option[-1] - option[0] + lift),)
    if isinstance(option, Owner):
        return (float(leaf == seat), float(leaf == 1 - seat)) if leaf in (None, 0, 1) else ()
    if isinstance(option, Subset):
        if not isinstance(leaf, tuple) or not set(leaf) <= set(option.numbers):
            return ()
        return tuple(float(number in leaf) for number in option.numbers)
    return (1.0,) if leaf == option else ()


def _columns(values: NDArray[np.int8], option: object, seats: Seats) -> list[Observation]:
    """Return the numbers of many leaves that hold one kind of value."""
    if isinstance(option, Owner):
        found = [values == seats, values == 1 - seats]  # -1 stands for None
    elif isinstance(option, Subset):
        found = list(values.T)
    elif isinstance(option, range):
        low, high = option[0], option[-1]
        found = [(values.astype(np.float64) - low) / max(1, high - low)]
    else:
        raise DuelbookError("In rules over arrays, each field holds one kind of value.")
    return [column.astype(np.float32) for column in found]


class TableObserver:
    """Encodes many positions of a table at once."""

    def __init__(self, table: Table) -> None:
        self._observe, self._positions = observer(table.game), table.positions

    def __call__(self, numbers: NDArray[np.int32], seats: Seats) -> Observation:
        """Return the observations of seats, one row each, of positions given by number."""
        secrets = secrecy.keeps_secrets(self._observe.game)  # `fields` does not hide them
        if self._positions.codes is None or self._positions.vectors is None or secrets:
            return self._all[numbers, seats]
        codes = self._positions.codes[numbers]
        return self._observe.of_many(
            self._positions.vectors.fields(codes, self._positions.first), seats
        )

    @cached_property
    def _all(self) -> Observation:
        seen = [[self._observe(position, seat) for seat in (0, 1)] for position in self._positions]
        return np.array(seen, np.float32)
