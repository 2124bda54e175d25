"""Check the options in a table; raise an error with a sentence about the first mistake."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from duelbook.errors import DuelbookError

OptionChecks = Mapping[str, tuple[str, Callable[[object], bool]]]
"""For each option: words that follow "must be", and a check."""


def check_options(table: Mapping[str, object], options: OptionChecks, whose: str) -> None:
    """Refuse a table with an unknown option or a value that does not fit."""
    for option, value in table.items():
        if option not in options:
            known = ", ".join(options)
            raise DuelbookError(f"{whose} has no option {option!r:.40}. The options are: {known}.")
        words, fits = options[option]
        if not fits(value):
            raise DuelbookError(f"The option {option} must be {words}, not {value!r:.60}.")


def is_number(value: object, minimum: float, maximum: float) -> bool:
    """Return whether a value is a number in a range."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return minimum <= value <= maximum


def is_whole(value: object, minimum: int, maximum: int) -> bool:
    """Return whether a value is a whole number in a range."""
    return isinstance(value, int) and is_number(value, minimum, maximum)
