"""Packing: positions as integer codes, many positions at a time.

A packing learns the values of each field and numbers them in the order of their first occurrence.
If a field holds many different tuples, the packing numbers their items instead. The numbers of all
fields are the digits of a position's code, which is one or more words of 63 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from enum import Enum
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError
from duelbook.position import Position, decode_value, encode_value

Codes = NDArray[Any]
"""The codes of positions: one row per position, one column per word."""
MANY = 4096
"""The maximum number of different tuples with a number each; above it, their items have one."""
BLOCK = 1 << 13
"""The number of positions to pack or unpack at once."""
_WORD = 1 << 63


class _Absent(Enum):
    """The padding after the last item of a tuple that is shorter than the longest one."""

    ABSENT = "absent"


ABSENT = _Absent.ABSENT


class UnknownValueError(LookupError):
    """The packing has not learned a value."""


class _Values:
    """Values that have a number each, in the order of their first occurrence."""

    def __init__(self, values: Iterable[Any] = (), *, may_split: bool = True) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._may_split = may_split
        self.learn(values)

    def copy(self) -> _Part:
        """Return a part that learns without changing this one."""
        return _Values(self.values, may_split=self._may_split)

    def learn(self, values: Iterable[Any]) -> _Part:
        """Give each new value a number; return the part that numbers the values from now on."""
        for value in dict.fromkeys(values):
            if value not in self._numbers:
                self._numbers[value] = len(self.values)
                self.values.append(value)
        if self._may_split and len(self.values) > MANY:
            self._may_split = all(type(value) is tuple and value for value in self.values)
            return _Items(self.values) if self._may_split else self
        return self

    def shape(self) -> object:
        """Return a value; if it changes, codes must be recomputed from positions."""
        return self._may_split

    def radices(self) -> list[int]:
        """Return the number of values of the digit, with room to grow if there are many values."""
        many = len(self.values)
        return [many if many in range(1, 5) else 1 << max(many - 1, 0).bit_length()]

    def digits(self, values: Iterable[Any]) -> NDArray[Any]:
        """Return the digits of each value."""
        numbers = map(self._numbers.__getitem__, values)
        try:
            if len(self.values) <= 256:
                return np.frombuffer(bytes(numbers), np.uint8)[:, None]
            return np.fromiter(numbers, np.int64)[:, None]
        except KeyError as error:
            raise UnknownValueError from error

    def read(self, digits: NDArray[Any]) -> list[Any]:
        """Return the values with these digits."""
        return list(map(self.values.__getitem__, digits[:, 0].tolist()))

    def to_data(self) -> object:
        """Return JSON data from which `part_of` restores this part."""
        values = [_as_json(value) for value in self.values]
        return {"values": values, "may_split": self._may_split}


class _Items:
    """Tuples whose items have a number each; padding fills up shorter tuples."""

    def __init__(self, tuples: Iterable[Any] = ()) -> None:
        self._length = 1
        self._items: _Part = _Values()
        self.learn(tuples)

    def copy(self) -> _Part:
        """Return a part that learns without changing this one."""
        return _Items.of(self._length, self._items.copy())

    def learn(self, values: Iterable[Any]) -> _Part:
        """Give each new item a number; return the part that numbers the tuples from now on."""
        tuples = list(values)
        if any(type(value) is not tuple for value in tuples):
            return _Values(tuples, may_split=False)
        self._length = max([self._length, *map(len, tuples)])
        self._items = self._items.learn(chain.from_iterable(self._filled(tuples)))
        return self

    def shape(self) -> object:
        """Return a value; if it changes, codes must be recomputed from positions."""
        return self._length, self._items.shape()

    def radices(self) -> list[int]:
        """Return the number of values of each digit."""
        return self._items.radices() * self._length

    def digits(self, values: Iterable[Any]) -> NDArray[Any]:
        """Return the digits of each tuple."""
        tuples = list(values)
        try:
            items = chain.from_iterable(self._filled(tuples))
        except TypeError as error:  # not a tuple
            raise UnknownValueError from error
        return self._items.digits(items).reshape(len(tuples), -1)

    def read(self, digits: NDArray[Any]) -> list[Any]:
        """Return the tuples with these digits."""
        items = iter(self._items.read(digits.reshape(len(digits) * self._length, -1)))
        tuples: list[tuple[Any, ...]] = list(zip(*[items] * self._length, strict=True))
        if isinstance(self._items, _Values) and ABSENT in self._items.values:
            return [row[: row.index(ABSENT)] if ABSENT in row else row for row in tuples]
        return tuples

    def to_data(self) -> object:
        """Return JSON data from which `part_of` restores this part."""
        return {"length": self._length, "items": self._items.to_data()}

    @classmethod
    def of(cls, length: int, items: _Part) -> _Items:
        """Return the part for tuples of at most this length, given the part for their items."""
        part = cls()
        part._length, part._items = length, items
        return part

    def _filled(self, tuples: Sequence[Any]) -> Sequence[Any]:
        lengths = set(map(len, tuples))
        if lengths <= {self._length}:
            return tuples
        if max(lengths) > self._length:
            raise UnknownValueError
        return [item + (ABSENT,) * (self._length - len(item)) for item in tuples]


_Part = _Values | _Items
Parts = list[_Part]
"""The part of each field, which numbers its values."""


def part_of(data: Any) -> _Part:  # noqa: ANN401 # JSON values
    """Return the part that `to_data` described."""
    if "values" in data:
        return _Values(map(_from_json, data["values"]), may_split=data["may_split"])
    return _Items.of(data["length"], part_of(data["items"]))


def _as_json(value: object) -> object:
    return {"absent": True} if value is ABSENT else encode_value(value)


def _from_json(data: object) -> object:
    return ABSENT if data == {"absent": True} else decode_value(data)


class Packing:
    """The codes of a game's positions: each code means one position, and each position has one.

    A packing never changes; `learned` returns a new one that knows more values.
    """

    def __init__(self, game: type[Position], parts: Sequence[_Part] | None = None) -> None:
        names = [field.name for field in fields(game)]
        self.game = game
        self.parts: Parts = [_Values() for _ in names] if parts is None else list(parts)
        self._getters = [attrgetter(name) for name in names]
        self._by_name = names if any(field.kw_only for field in fields(game)) else None
        self._arrange()

    def _arrange(self) -> None:
        """Divide the digits into words."""
        radices = [part.radices() for part in self.parts]
        self._widths = [len(digits) for digits in radices]
        self._words: list[list[int]] = [[]]
        size = 1
        for radix in chain.from_iterable(radices):
            size *= radix
            if size >= _WORD:
                self._words.append([])
                size = radix
            self._words[-1].append(radix)

    @property
    def words(self) -> int:
        """The number of words of a code."""
        return len(self._words)

    def learned(self, positions: Iterable[Position]) -> Packing:
        """Return a packing that also knows the values of these positions."""
        known = list(positions)
        return Packing(
            self.game,
            [
                part.copy().learn(map(getter, known))
                for part, getter in zip(self.parts, self._getters, strict=True)
            ],
        )

    def encode(self, positions: Sequence[Position]) -> Codes:
        """Return the codes of positions."""
        if not positions:
            return np.empty((0, self.words), np.int64)
        return self._join(
            [
                part.digits(map(getter, positions))
                for part, getter in zip(self.parts, self._getters, strict=True)
            ]
        )

    def decode(self, codes: Codes) -> list[Position]:
        """Return the positions with these codes."""
        read = [
            part.read(digits) for part, digits in zip(self.parts, self._digits(codes), strict=True)
        ]
        if self._by_name is None:
            return list(map(self.game, *read))
        return [
            self.game(**dict(zip(self._by_name, values, strict=True)))
            for values in zip(*read, strict=True)
        ]

    def repack(self, codes: Codes, old: Packing) -> Codes:
        """Convert codes of an older packing to codes of this packing."""
        if self.shape() == old.shape():
            return self._join(old._digits(codes))  # a method of the same class
        return np.concatenate([self.encode(positions) for positions in old.blocks(codes)])

    def blocks(self, codes: Codes) -> Iterator[list[Position]]:
        """Yield the positions with these codes in lists of BLOCK positions; at least one list."""
        for begin in range(0, max(len(codes), 1), BLOCK):
            yield self.decode(codes[begin : begin + BLOCK])

    def shape(self) -> object:
        """Return a value; if it changes, codes must be recomputed from positions."""
        return [part.shape() for part in self.parts]

    def writes_as(self, old: Packing) -> bool:
        """Return whether codes of the older packing are valid in this one without a change."""
        return (self.shape(), self._widths, self._words) == (old.shape(), old._widths, old._words)

    def to_data(self) -> object:
        """Return the packing as JSON values; raise TypeError if a field holds other values."""
        return [part.to_data() for part in self.parts]

    @classmethod
    def from_data(cls, game: type[Position], data: Any) -> Packing:  # noqa: ANN401 # JSON values
        """Return the packing that `to_data` described."""
        if len(data) != len(fields(game)):
            raise DuelbookError(f"That packing has other fields than {game.title}.")
        return cls(game, [part_of(part) for part in data])

    def _join(self, digits: Sequence[NDArray[Any]]) -> Codes:
        codes = np.zeros((len(digits[0]), self.words), np.int64)
        columns = iter([column for part in digits for column in part.T])
        for word, radices in enumerate(self._words):
            code = codes[:, word]
            for radix in radices:
                np.multiply(code, radix, out=code)
                np.add(code, next(columns), out=code)
        return codes

    def _digits(self, codes: Codes) -> list[NDArray[Any]]:
        columns: list[NDArray[Any]] = []
        for word in range(self.words - 1, -1, -1):
            rest = codes[:, word]
            for radix in reversed(self._words[word]):
                rest, digit = np.divmod(rest, radix)
                columns.append(digit)
        digits = np.stack(columns[::-1], axis=1)
        return np.split(digits, np.cumsum(self._widths)[:-1], axis=1)
