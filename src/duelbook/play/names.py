"""The players' names: visible, different, and put into texts."""

from __future__ import annotations

import re

from duelbook.errors import DuelbookError
from duelbook.position import player

PLAYERS = (player(0), player(1))
LONGEST_NAME = 24
JOINERS = re.compile("[\u200d\ufe0f]")
"""Characters that join emoji into one; by themselves they are invisible."""


def tidy(name: str) -> str:
    """Return a name in normal form, so that names that look the same are equal."""
    from unicodedata import normalize

    return normalize("NFC", name.strip(" "))


def check_names(names: tuple[str, str]) -> None:
    """Refuse names that look alike or that would break a line of text."""
    seen = [JOINERS.sub("", name) for name in names]
    for seat, name in enumerate(names):
        if not seen[seat].strip() or not seen[seat].isprintable() or len(name) > LONGEST_NAME:
            raise DuelbookError(f"A name must have 1 to {LONGEST_NAME} visible characters.")
        if name == PLAYERS[1 - seat]:
            raise DuelbookError(f"{PLAYERS[seat]} cannot be called {name}.")
    if seen[0] == seen[1]:
        raise DuelbookError(f"Both players are called {names[0]}: choose different names.")


def named(text: str, names: tuple[str, str]) -> str:
    """Return a text with the players' names in place of `Player 1` and `Player 2`."""
    return re.sub(r"\bPlayer ([12])\b", lambda found: names[int(found[1]) - 1], text)
