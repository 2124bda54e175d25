"""The record of an examined file, and the limits of the examination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

EXAMINED, TOO_LARGE, BREAKS = "examined", "too large", "breaks"
UNLOADABLE, OUT_OF_TIME, OUT_OF_MEMORY = "does not load", "out of time", "out of memory"
LOADING, DONE = "loading", "done"  # stages
ENDED, CRASHED = "ends the program", "crashes"


@dataclass(frozen=True)
class Limits:
    """The limits for a file: seconds, MiB of memory, and positions."""

    time: float = 60.0
    memory: int = 2048
    positions: int = 100_000


@dataclass(frozen=True)
class Record:
    """The facts about a file; None means unknown. Witnesses are moves from the start."""

    outcome: str = CRASHED
    reason: str = ""
    kind: str = ""
    title: str = ""
    assumptions: tuple[str, ...] = ()
    checked: bool = False
    breaches: tuple[dict[str, Any], ...] = ()
    invalid: str = ""
    invalid_witness: tuple[str, ...] = ()
    positions: int | None = None
    complete: bool = False
    ends: bool | None = None
    endless_witness: tuple[str, ...] = ()
    stuck: int | None = None
    stuck_witness: tuple[str, ...] = ()
    draws: int | None = None
    turns: str = ""
    branching: float | None = None
    longest: int | None = None
    winner: str = ""
    plies: int | None = None
    notes: tuple[str, ...] = ()
    printed: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Record:
        """Return the record of facts from JSON; unknown fields are ignored."""
        names = {field.name for field in fields(cls)}
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in found.items()
            if name in names
        }
        return cls(**values)
