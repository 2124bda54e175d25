"""Checking the options in a table, with a sentence for every mistake."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from duelbook.errors import DuelbookError

Wanted = Mapping[str, tuple[str, Callable[[object], bool]]]
"""What each option must be: in words that follow "must be", and as a check."""


def check_options(table: Mapping[str, object], wanted: Wanted, whose: str) -> None:
    """Refuse a table with an unknown option or a value that does not fit."""
    for option, value in table.items():
        if option not in wanted:
            known = ", ".join(wanted)
            raise DuelbookError(f"{whose} has no option {option!r:.40}. The options are: {known}.")
        words, fits = wanted[option]
        if not fits(value):
            raise DuelbookError(f"The option {option} must be {words}, not {value!r:.60}.")


def is_number(value: object, least: float, most: float) -> bool:
    """Whether a value is a number in a range."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return least <= value <= most


def is_whole(value: object, least: int, most: int) -> bool:
    """Whether a value is a whole number in a range."""
    return isinstance(value, int) and is_number(value, least, most)
