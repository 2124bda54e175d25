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
    """The facts about a file; None means unknown.

    Each `…_witness` is an example game: its moves from the start.
    """

    outcome: str = CRASHED
    reason: str = ""
    kind: str = ""
    title: str = ""
    assumptions: tuple[str, ...] = ()
    checked: bool = False
    breaches: tuple[dict[str, Any], ...] = ()
    invalid: str = ""
    """The worst reaction to an invalid move, in a Gym-style class."""
    invalid_witness: tuple[str, ...] = ()
    positions: int | None = None
    complete: bool = False
    ends: bool | None = None
    endless_witness: tuple[str, ...] = ()
    stuck: int | None = None
    """The number of positions with neither a move nor a result."""
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
    """The number of bytes that the file printed."""
    seconds: float = 0.0

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> AuditRecord:
        """Return the record of facts from JSON; raise ValueError if they are of another shape."""
        return cls(**valid(data))


def valid(data: object) -> dict[str, Any]:
    """Return facts from JSON, with all text in one printable line; raise ValueError if invalid.

    The author of the JSON may be an attacker.
    """
    if not isinstance(data, dict):
        raise ValueError("it is not an object")
    facts = {}
    for name, value in data.items():
        if name not in FIELDS:
            raise ValueError("it has an unknown field")
        try:
            facts[name] = FIELDS[name](value)
        except (TypeError, KeyError) as error:
            raise ValueError(f"its field {name} is not valid") from error
    return facts


def texts(items: Iterable[object]) -> list[str]:
    """Return texts within the limits of a record; an author's moves may be of any type."""
    listed = [str(item)[:MAX_TEXT_LENGTH] for item in items]
    more = len(listed) - MAX_LIST_LENGTH
    return listed if more <= 0 else [*listed[:MAX_LIST_LENGTH], f"… ({more:,} more)"]


def _text(value: object, limit: int = MAX_TEXT_LENGTH) -> str:
    if not isinstance(value, str):
        raise TypeError
    text = printable(value[: limit + 1])
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


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
    if not 0 <= value <= MAX_NUMBER:  # refuses NaN, too
        raise TypeError
    return value


def _breaches(value: object) -> tuple[dict[str, Any], ...]:
    if not isinstance(value, list | tuple) or len(value) > MAX_LIST_LENGTH:
        raise TypeError
    return tuple(
        {"kind": _cell(item["kind"]), "text": _text(item["text"]), "moves": _texts(item["moves"])}
        for item in value
    )


def _one_of(*known: str) -> Callable[[object], str]:
    def check(value: object) -> str:
        if value not in known:
            raise TypeError
        return str(value)

    return check


def _optional(check: Callable[[object], object]) -> Callable[[object], object]:
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
    "positions": _optional(_count),
    "complete": _flag,
    "ends": _optional(_flag),
    "endless_witness": _texts,
    "stuck": _optional(_count),
    "stuck_witness": _texts,
    "draws": _optional(_count),
    "turns": _cell,
    "branching": _optional(_number),
    "longest": _optional(_count),
    "winner": _cell,
    "plies": _optional(_count),
    "notes": _texts,
    "without_namespaces": _flag,
    "printed": _count,
    "seconds": _number,
}
"""The function that validates each field of a record."""
