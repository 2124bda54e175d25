"""Encoding of the kinds of value in RANGES as numbers: one leaf of a field, or many at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError
from duelbook.ranges import Owner, Subset, UpTo

Numbers = tuple[float, ...]
Columns = list[NDArray[np.float32]]
FLAG = "0 or 1"


@dataclass(frozen=True)
class ObservationEntry:
    """One number of an observation, and its meaning."""

    name: str
    meaning: str


def kinds_of(values: Iterable[object]) -> tuple[object, ...]:
    """Return the kinds of these values: one range for the integers, and each other value."""
    known = set(values)
    numbers = sorted(value for value in known if isinstance(value, int))
    others = sorted((value for value in known if not isinstance(value, int)), key=str)
    return (*([range(numbers[0], numbers[-1] + 1)] if numbers else []), *others)


def entries_of(name: str, option: object, *, lift: bool = False) -> list[ObservationEntry]:
    """Return the name and meaning of the numbers for one kind of value of a leaf."""
    if isinstance(option, range):
        scaled = "scaled to above 0 to 1, else 0" if lift else "scaled to 0 to 1"
        return [ObservationEntry(name, f"{option[0]} to {option[-1]}, {scaled}")]
    if isinstance(option, Owner):
        return [
            ObservationEntry(f"{name} is {whose}", FLAG) for whose in ("mine", "the opponent's")
        ]
    if isinstance(option, Subset):
        return [ObservationEntry(f"{name}: {number}", FLAG) for number in option.numbers]
    if isinstance(option, UpTo):
        return [
            entry
            for at in range(option.max_items)
            for kind in as_options(option.items)
            for entry in entries_of(f"{name} {at + 1}", kind, lift=True)
        ]
    return [ObservationEntry(f"{name} is {str(option).lower()}", FLAG)]


def as_options(declared: object) -> tuple[object, ...]:
    """Return the kinds of value that a declaration lists."""
    return declared if isinstance(declared, tuple) else (declared,)


def numbers_of(
    leaf: object, options: tuple[object, ...], seat: int, *, lift: bool
) -> Numbers | None:
    """Return the numbers of a leaf, 0 for kinds that it does not hold; None if it holds none."""
    by_option = [_of_kind(leaf, option, seat, lift=lift) for option in options]
    if all(numbers is None for numbers in by_option):
        return None
    pairs = zip(by_option, options, strict=True)
    return sum(
        (
            (0.0,) * len(entries_of("", option)) if numbers is None else numbers
            for numbers, option in pairs
        ),
        (),
    )


def _of_kind(leaf: object, option: object, seat: int, *, lift: bool) -> Numbers | None:
    """Return the numbers of a leaf for one kind of value, or None if the leaf holds another."""
    if isinstance(option, range):
        return _scaled(leaf, option, lift=lift)
    if isinstance(option, Owner):
        return (float(leaf == seat), float(leaf == 1 - seat)) if leaf in (None, 0, 1) else None
    if isinstance(option, Subset):
        return _flags(leaf, option)
    if isinstance(option, UpTo):
        return _row(leaf, option, seat)
    return (1.0,) if leaf == option else None


def _scaled(leaf: object, option: range, *, lift: bool) -> Numbers | None:
    if not isinstance(leaf, int) or leaf not in option:
        return None
    return ((leaf - option[0] + lift) / max(1, option[-1] - option[0] + lift),)


def _flags(leaf: object, option: Subset) -> Numbers | None:
    if not isinstance(leaf, tuple) or not set(leaf) <= set(option.numbers):
        return None
    return tuple(float(number in leaf) for number in option.numbers)


def _row(leaf: object, option: UpTo, seat: int) -> Numbers | None:
    """Return the numbers of the items of a tuple; 0 for the missing items."""
    if not isinstance(leaf, tuple) or len(leaf) > option.max_items:
        return None
    kinds = as_options(option.items)
    items: list[Numbers] = []
    for item in leaf:
        numbers = numbers_of(item, kinds, seat, lift=True)
        if not numbers or not any(numbers):  # an item without an owner would look missing
            return None
        items.append(numbers)
    missing = (0.0,) * (
        (option.max_items - len(leaf)) * sum(len(entries_of("", kind)) for kind in kinds)
    )
    return (*(number for item in items for number in item), *missing)


def columns_of(values: NDArray[np.int8], option: object, seats: NDArray[np.int8]) -> Columns:
    """Return the numbers of many leaves that all hold one kind of value."""
    if isinstance(option, Owner):
        columns = [values == seats, values == 1 - seats]  # -1 stands for None
    elif isinstance(option, Subset):
        columns = list(values.T)
    elif isinstance(option, range):
        low, high = option[0], option[-1]
        columns = [(values.astype(np.float64) - low) / max(1, high - low)]
    else:
        raise DuelbookError("In rules over arrays, each field holds one kind of value.")
    return [column.astype(np.float32) for column in columns]
