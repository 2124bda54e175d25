"""Snapshots: convert the attributes of a plain Python object to canonical text, and back."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable, Mapping
from enum import Enum
from operator import attrgetter
from types import ModuleType
from typing import Any

import numpy as np

from duelbook.errors import DuelbookError

SEED = 0
GENERATORS: dict[type, Callable[[], object]] = {
    random.Random: lambda: random.Random(SEED),
    np.random.Generator: lambda: np.random.default_rng(SEED),
    np.random.RandomState: lambda: np.random.RandomState(SEED),
}
"""The random generators, with a function that resets each, so that a move has one outcome."""
GROUPS: dict[type, Callable[[list[Any]], object]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    deque: deque,
}
GROUP_NAMES = {kind.__name__: make for kind, make in GROUPS.items()}
GENERATOR_NAMES = {kind.__name__: make for kind, make in GENERATORS.items()}


def to_text(attributes: Mapping[str, object], module: ModuleType) -> str:
    """Return attributes as text; equal attributes give equal texts.

    Attributes may hold objects of classes that the module itself defines.
    """
    writer = _Writer(module)
    data = [[name, writer.write(attributes[name])] for name in sorted(attributes)]
    return json.dumps(data, separators=(",", ":"))


def from_text(text: str, module: ModuleType) -> dict[str, Any]:
    """Return fresh attributes from a text."""
    reader = _Reader(module)
    return {name: reader.read(value) for name, value in json.loads(text)}


class _Writer:
    """An encoder: a value becomes a list that begins with its type, or a reference if repeated."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._seen: dict[int, int] = {}
        self._alive: list[object] = []  # an id is unique only while its object lives

    def write(self, value: object) -> object:
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, Enum):
            return ["enum", type(value).__qualname__, value.name]
        if isinstance(value, np.generic) and value.dtype.kind in "biufU":
            return ["number", value.dtype.str, value.item()]
        if type(value) is tuple:
            return ["tuple", *map(self.write, value)]
        if id(value) in self._seen:
            return ["again", self._seen[id(value)]]
        self._seen[id(value)] = len(self._seen)
        self._alive.append(value)
        return self._write_new(value)

    def _write_new(self, value: object) -> object:
        kind = type(value)
        if isinstance(value, np.ndarray) and value.dtype.kind in "biufU":
            return ["array", value.dtype.str, value.shape, value.ravel().tolist()]
        if kind is dict:
            assert isinstance(value, dict)  # noqa: S101 # for type checkers
            keys = sorted(value, key=self._order)
            return ["dict", *([self.write(key), self.write(value[key])] for key in keys)]
        if isinstance(value, (set, frozenset)) and kind in GROUPS:
            return [kind.__name__, *map(self.write, sorted(value, key=self._order))]
        if isinstance(value, (list, deque)) and kind in GROUPS:
            return [kind.__name__, *map(self.write, value)]
        if kind in GENERATORS:
            return ["generator", kind.__name__]
        if kind.__module__ == self._module.__name__ and hasattr(value, "__dict__"):
            attributes = [[name, self.write(item)] for name, item in sorted(vars(value).items())]
            return ["object", kind.__qualname__, *attributes]
        raise DuelbookError(f"A {kind.__name__} cannot be stored and from_text.")

    def _order(self, key: object) -> str:
        return json.dumps(_Writer(self._module).write(key))


class _Reader:
    """A decoder of the values that a writer encoded."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._seen: list[object] = []

    def read(self, data: Any) -> Any:  # noqa: ANN401 # any value
        if not isinstance(data, list):
            return data
        kind, *rest = data
        simple: dict[str, Callable[..., object]]
        simple = {"enum": self._enum, "number": _number, "tuple": self._tuple, "again": self._again}
        if kind in simple:
            return simple[kind](*rest)
        place = len(self._seen)
        self._seen.append(None)
        if kind == "object":
            return self._read_object(rest, place)
        self._seen[place] = self._read_new(kind, rest)
        return self._seen[place]

    def _enum(self, kind: str, name: str) -> object:
        return attrgetter(kind)(self._module)[name]

    def _tuple(self, *items: object) -> object:
        return tuple(map(self.read, items))

    def _again(self, number: int) -> object:
        return self._seen[number]

    def _read_new(self, kind: str, rest: list[Any]) -> object:
        if kind == "array":
            return np.array(rest[2], np.dtype(rest[0])).reshape(rest[1])
        if kind == "dict":
            return {self.read(key): self.read(item) for key, item in rest}
        if kind == "generator":
            return GENERATOR_NAMES[rest[0]]()
        return GROUP_NAMES[kind]([self.read(item) for item in rest])

    def _read_object(self, rest: list[Any], place: int) -> object:
        """Return an object, which may contain itself."""
        kind = attrgetter(rest[0])(self._module)
        instance = self._seen[place] = kind.__new__(kind)
        for name, item in rest[1:]:
            instance.__dict__[name] = self.read(item)
        return instance


def _number(kind: str, value: float | str) -> object:
    return np.dtype(kind).type(value)
