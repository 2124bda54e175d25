"""A stub of `gym` and `gymnasium`: enough to define a Gym-style class."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

NAMES = ("gym", "gymnasium")
PARTS = ("", ".spaces", ".utils", ".utils.seeding")


@contextmanager
def with_gym_stub(source: str) -> Iterator[None]:
    """Let a file import `gym` or `gymnasium` while it is loaded.

    If `gymnasium` is installed, it replaces a missing `gym`; otherwise the stub below does.
    """
    missing = [n for n in NAMES if re.search(rf"\b{n}\b", source) and not _is_installed(n)]
    stubs: dict[str, ModuleType] = {}
    for name in missing:
        stubs |= _gymnasium_as(name) if _is_installed("gymnasium") else _stand_in_as(name)
    sys.modules.update(stubs)
    try:
        yield
    finally:
        for name in stubs:
            sys.modules.pop(name, None)


def _is_installed(name: str) -> bool:
    return name in sys.modules or find_spec(name) is not None


def _gymnasium_as(name: str) -> dict[str, ModuleType]:
    return {f"{name}{part}": import_module(f"gymnasium{part}") for part in PARTS}


def _stand_in_as(name: str) -> dict[str, ModuleType]:
    package, spaces = ModuleType(name), ModuleType(f"{name}.spaces")
    vars(spaces).update({kind.__name__: kind for kind in (Space, Discrete, MultiDiscrete, Box)})
    spaces.__dict__["MultiBinary"] = MultiDiscrete
    vars(package).update({"Env": Env, "Space": Space, "spaces": spaces, "__path__": []})
    return {name: package, f"{name}.spaces": spaces}


class Env:
    """The base class of environments."""

    metadata: dict[str, Any] = {}

    def reset(self, *, seed: int | None = None, options: object = None) -> None:
        """Do nothing: the file's own class implements it."""


class Space:
    """A space of observations or actions."""


class Discrete(Space):
    """A space of n consecutive integers from a start."""

    def __init__(self, n: int, *_: object, start: int = 0, **__: object) -> None:
        self.n, self.start = int(n), int(start)


class MultiDiscrete(Space):
    """A space of several integers, each below its own limit."""

    def __init__(self, nvec: object, *_: object, **__: object) -> None:
        self.nvec = nvec


class Box(Space):
    """A space of arrays with numbers within bounds."""

    def __init__(self, low: object, high: object, shape: object = None, *_: object, **__: object):  # noqa: ANN204 # as above
        self.low, self.high, self.shape = low, high, shape
