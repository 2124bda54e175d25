"""An option of `duelbook serve`, written at the field of the settings that it sets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ServeOption:
    """The help and the range of an option."""

    help: str
    minimum: float | None = None
    maximum: float | None = None
    name: str = ""
    """The name of the option without dashes, if it differs from the name of the field."""
    metavar: str | None = None
