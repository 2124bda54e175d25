"""The record of an examined file, and the limits of the examination."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from duelbook.catalog.faults import printable

EXAMINED, TOO_LARGE, BREAKS = "examined", "too large", "breaks"
UNLOADABLE, OUT_OF_TIME, OUT_OF_MEMORY = "does not load", "out of time", "out of memory"
TOO_MANY_PROCESSES, INVALID_RESULTS = "too many processes", "invalid results"
ENDED, CRASHED = "ends the program", "crashes"
FAILED = "not examined"
"""The outcome when the audit failed and not the file; it is not stored."""
OUTCOMES = (
    *(EXAMINED, TOO_LARGE, BREAKS, UNLOADABLE, OUT_OF_TIME, OUT_OF_MEMORY),
    *(TOO_MANY_PROCESSES, INVALID_RESULTS, ENDED, CRASHED),
)
LOADING, EXAMINING, CHECKING, DONE = (
    *("loading", "examining its positions", "being checked", "done"),
)
STAGES = (LOADING, EXAMINING, CHECKING, DONE)
RULES, GYM_STYLE = "rules", "gym-style"
MAX_TEXT_LENGTH, MAX_CELL_LENGTH, MAX_LIST_LENGTH = 300, 40, 500
MAX_NUMBER = 2**53


@dataclass(frozen=True)
class AuditLimits:
    """The limits for a file: seconds, MiB of memory, positions, processes, and MiB of files."""

    time: float = 60.0
    memory: int = 2048
    positions: int = 100_000
    processes: int = 64
    disk: int = 64


@dataclass(frozen=True)
class AuditRecord:
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
    without_namespaces: bool = False
    printed: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> AuditRecord:
        """Return the record of facts from JSON; raise ValueError if they are of another shape."""
        return cls(**valid(found))


def valid(found: object) -> dict[str, Any]:
    """Return facts from JSON, with all text in one printable line; raise ValueError if invalid.

    The author of the JSON may be an attacker.
    """
    if not isinstance(found, dict):
        raise ValueError("it is not an object")
    facts = {}
    for name, value in found.items():
        if name not in FIELDS:
            raise ValueError("it has an unknown field")
        try:
            facts[name] = FIELDS[name](value)
        except (TypeError, KeyError) as error:
            raise ValueError(f"its field {name} is not valid") from error
    return facts


def texts(given: Iterable[object]) -> list[str]:
    """Return a list as a record can hold it; an author's moves may be of any kind and length."""
    listed = [str(one)[:MAX_TEXT_LENGTH] for one in given]
    more = len(listed) - MAX_LIST_LENGTH
    return listed if more <= 0 else [*listed[:MAX_LIST_LENGTH], f"… ({more:,} more)"]


def _text(value: object, longest: int = MAX_TEXT_LENGTH) -> str:
    if not isinstance(value, str):
        raise TypeError
    said = printable(value[: longest + 1])
    return said if len(said) <= longest else f"{said[: longest - 1]}…"


def _cell(value: object) -> str:
    return _text(value, MAX_CELL_LENGTH)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) > MAX_LIST_LENGTH + 1:
        raise TypeError
    return tuple(map(_text, value))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_NUMBER:
        raise TypeError
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError
    if not 0 <= value <= MAX_NUMBER:  # so NaN is refused, too
        raise TypeError
    return value


def _breaches(value: object) -> tuple[dict[str, Any], ...]:
    if not isinstance(value, list | tuple) or len(value) > MAX_LIST_LENGTH:
        raise TypeError
    return tuple(
        {"kind": _cell(one["kind"]), "text": _text(one["text"]), "moves": _texts(one["moves"])}
        for one in value
    )


def _one_of(*known: str) -> Callable[[object], str]:
    def check(value: object) -> str:
        if value not in known:
            raise TypeError
        return str(value)

    return check


def _perhaps(check: Callable[[object], object]) -> Callable[[object], object]:
    return lambda value: None if value is None else check(value)


FIELDS: dict[str, Callable[[object], object]] = {
    "outcome": _one_of(*OUTCOMES),
    "reason": _text,
    "kind": _one_of("", RULES, GYM_STYLE),
    "title": _text,
    "assumptions": _texts,
    "checked": _flag,
    "breaches": _breaches,
    "invalid": _cell,
    "invalid_witness": _texts,
    "positions": _perhaps(_count),
    "complete": _flag,
    "ends": _perhaps(_flag),
    "endless_witness": _texts,
    "stuck": _perhaps(_count),
    "stuck_witness": _texts,
    "draws": _perhaps(_count),
    "turns": _cell,
    "branching": _perhaps(_number),
    "longest": _perhaps(_count),
    "winner": _cell,
    "plies": _perhaps(_count),
    "notes": _texts,
    "without_namespaces": _flag,
    "printed": _count,
    "seconds": _number,
}
"""How each field of a record is read."""
