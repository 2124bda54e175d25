"""Observations: a view as numbers between 0 and 1, from the perspective of its seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.encoding.value_kinds import (
    FLAG,
    Numbers,
    ObservationEntry,
    as_options,
    columns_of,
    entries_of,
    kinds_of,
    numbers_of,
)
from duelbook.errors import DuelbookError, TooLarge
from duelbook.position import Position
from duelbook.ranges import OWNER, Subset, UpTo
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.tables.array_rules import Vectors
from duelbook.solver.tables.position_table import Table

Observation = NDArray[np.float32]
Seats = NDArray[np.int8]
MINE_AND_THEIRS = ("my", "opponent's")
MAX_POSITIONS = 100_000  # the maximum to enumerate for undeclared ranges


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
        views = _Views(game)
        self._fields = [_Field(game, field.name, views) for field in fields(game)]
        seat = ObservationEntry("I am Player 2", FLAG)  # the rules may treat the seats differently
        self.entries = (seat, *(entry for field in self._fields for entry in field.entries()))
        self._known: tuple[list[dict[object, Numbers]], ...] = tuple(
            [{} for _ in self._fields] for _ in (0, 1)
        )

    @property
    def size(self) -> int:
        """The number of entries of an observation."""
        return len(self.entries)

    def __call__(self, position: Position, seat: int) -> Observation:
        """Return a seat's observation of a position, from the seat's view."""
        view = position.view(seat)
        numbers: Numbers = (float(seat),)
        for field, known in zip(self._fields, self._known[seat], strict=True):
            value = getattr(view, field.name)
            encoded = known.get(value)
            if encoded is None:
                encoded = known[value] = field.numbers(value, seat)
            numbers += encoded
        return np.array(numbers, np.float32)

    def of_many(self, fields: Mapping[str, NDArray[np.int8]], seats: Seats) -> Observation:
        """Return the observations of seats, one row each, given the result of `Vectors.fields`."""
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


class _Views:
    """All views of a small game, for fields without a declared range."""

    def __init__(self, game: type[Position]) -> None:
        self._game = game

    def values(self, name: str) -> set[tuple[object, int]]:
        """Return the values of a field in all views, each with the seat of the view."""
        try:
            return {(getattr(view, name), seat) for view, seat in self._all}
        except TooLarge:
            raise DuelbookError(
                f"RANGES of {self._game.title} does not say what {name} may hold, and the game "
                "has too many positions to find out."
            ) from None

    @cached_property
    def _all(self) -> set[tuple[Position, int]]:
        firsts = (0,) if self._game.player_1_starts else (0, 1)
        tables = [
            enumerate_game(self._game, first=first, max_positions=MAX_POSITIONS) for first in firsts
        ]
        return {
            (p.view(seat), seat) for table in tables for p in table.positions for seat in (0, 1)
        }


class _Field:
    """The encoding of one field: a tree of tuples with the shape of the start position.

    A leaf has numbers for each kind of value that it may hold; only those of its kind can differ
    from 0.
    """

    def __init__(self, game: type[Position], name: str, views: _Views) -> None:
        self.name = name
        self._title = game.title
        self._start = getattr(game(), name)
        declared = OWNER if name == "to_move" else game.RANGES.get(name)
        self._flat_leaves = _offers_tuple(declared)
        if declared is None:
            declared = self._inferred_range(views.values(name))
        self._options = as_options(declared)
        self._lift = len(self._options) > 1  # 0 then means another kind of value
        self._known: tuple[dict[object, Numbers], dict[object, Numbers]] = ({}, {})

    def entries(self) -> Iterator[ObservationEntry]:
        """Yield the name and meaning of each number of this field."""
        if self.name == "to_move":
            yield from (ObservationEntry(f"{whose} turn", FLAG) for whose in MINE_AND_THEIRS)
            return
        for name in self._names(self._start, self.name.replace("_", " ")):
            for option in self._options:
                yield from entries_of(name, option, lift=self._lift)

    def numbers(self, value: object, seat: int) -> Numbers:
        """Return a value of this field as numbers; both are 0 on the turn of chance."""
        if self.name == "to_move":
            return float(value == seat), float(value == 1 - seat)
        known, leaves = self._known[seat], self._leaves(value, self._start, seat)
        for leaf in leaves:
            if leaf not in known:
                known[leaf] = self._leaf(leaf, seat)
        return tuple(number for leaf in leaves for number in known[leaf])

    def _leaf(self, leaf: object, seat: int) -> Numbers:
        numbers = numbers_of(leaf, self._options, seat, lift=self._lift)
        if numbers is None:
            raise DuelbookError(
                f"{self._title}: {self.name} may not be {leaf!r}; see the game's RANGES."
            )
        return numbers

    def _leaves(self, value: object, shape: object, seat: int) -> list[object]:
        """Return the values at the leaves of the tree; in a pair, the seat's own value is first."""
        if not isinstance(shape, tuple) or self._is_leaf(shape):
            return [value]
        items = (
            value if isinstance(value, tuple) else (value,) * len(shape)
        )  # the whole field is hidden
        if len(items) != len(shape):
            raise DuelbookError(
                f"{self._title}: {self.name} changes its length; "
                "RANGES must declare it with Subset or UpTo."
            )
        if len(shape) == 2 and seat:
            items, shape = items[::-1], shape[::-1]
        leaves: list[object] = []
        for item, part in zip(items, shape, strict=True):
            leaves += self._leaves(item, part, seat) if isinstance(part, tuple) else (item,)
        return leaves

    def _names(self, shape: object, name: str) -> Iterator[str]:
        """Yield the names of the leaves."""
        if not isinstance(shape, tuple) or self._is_leaf(shape):
            yield name
            return
        names = [f"{name} {at + 1}" for at in range(len(shape))]
        if len(shape) == 2:
            names = [f"{whose} {name}" for whose in MINE_AND_THEIRS]
        for part, named in zip(shape, names, strict=True):
            yield from self._names(part, named)

    def _inferred_range(self, values: Iterable[tuple[object, int]]) -> tuple[object, ...]:
        """Return the range of an undeclared field from its values."""
        self._flat_leaves = any(_changes_length(value, self._start) for value, _ in values)
        leaves = {leaf for value, seat in values for leaf in self._leaves(value, self._start, seat)}
        rows = [leaf for leaf in leaves if isinstance(leaf, tuple)]
        kinds = kinds_of(leaf for leaf in leaves if not isinstance(leaf, tuple))
        if not any(rows):
            return kinds or (UpTo(0, ()),)
        items = [item for row in rows for item in row]
        if any(isinstance(item, tuple) for item in items):
            if not self._flat_leaves:
                return kinds_of(leaves)
            raise DuelbookError(
                f"{self._title}: {self.name} holds tuples inside a tuple that changes its length, "
                "and an observation has a fixed size."
            )
        return (*kinds, UpTo(max(map(len, rows)), kinds_of(items)))

    def columns(self, values: NDArray[np.int8], seats: Seats) -> list[Observation]:
        """Return the numbers of many values at once, one array per entry."""
        if self.name == "to_move":
            return [(values == seat).astype(np.float32) for seat in (seats, 1 - seats)]
        return self._columns(values, self._start, seats)

    def _columns(self, values: NDArray[np.int8], shape: object, seats: Seats) -> list[Observation]:
        if not isinstance(shape, tuple) or self._is_leaf(shape):
            return [c for option in self._options for c in columns_of(values, option, seats)]
        rows = np.arange(len(values))
        items = [values[:, at] for at in range(len(shape))]
        if len(shape) == 2:
            items = [values[rows, seats], values[rows, 1 - seats]]
        pairs = zip(items, shape, strict=True)
        return [column for item, part in pairs for column in self._columns(item, part, seats)]

    def _is_leaf(self, shape: tuple[object, ...]) -> bool:
        return self._flat_leaves and not any(isinstance(item, tuple) for item in shape)


def _offers_tuple(declared: object) -> bool:
    return any(isinstance(option, (Subset, UpTo)) for option in as_options(declared))


def _changes_length(value: object, shape: object) -> bool:
    """Return whether a value has more or fewer items somewhere than at the start."""
    if not isinstance(value, tuple) or not isinstance(shape, tuple):
        return False
    return len(value) != len(shape) or any(map(_changes_length, value, shape))


class TableObserver:
    """Encodes many positions of a table at once."""

    def __init__(self, table: Table) -> None:
        self._observe, self._positions = observer(table.game), table.positions

    def __call__(self, numbers: NDArray[np.int32], seats: Seats) -> Observation:
        """Return the observations of seats, one row each, given the numbers of the positions."""
        secrets = secrecy.keeps_secrets(self._observe.game)  # `fields` does not hide them
        coding = self._positions.vectors
        if coding is None or secrets or not hasattr(coding.vectors, "fields"):
            return self._all[numbers, seats]
        codes = self._positions.codes[numbers, 0]
        return self._observe.of_many(coding.vectors.fields(codes, coding.first), seats)

    @cached_property
    def _all(self) -> Observation:
        seen = [[self._observe(position, seat) for seat in (0, 1)] for position in self._positions]
        return np.array(seen, np.float32)


def compare_fields(
    vectors: Vectors, positions: Sequence[Position], first: int
) -> tuple[int, str] | None:
    """Return the first position that `Vectors.fields` encodes differently, and the subject."""
    if not positions or not hasattr(vectors, "fields"):
        return None
    game = type(positions[0])
    if secrecy.keeps_secrets(game):  # nothing uses the fields of such a game
        return None
    codes = np.array([vectors.pack(position) for position in positions], np.int64)
    observe, fields = Observer(game), vectors.fields(codes, first)
    for seat in (0, 1):
        seen = observe.of_many(fields, np.full(len(codes), seat, np.int8))
        for at, position in enumerate(positions):
            if not np.array_equal(seen[at], observe(position, seat)):
                return at, "the fields of a position"
    return None
