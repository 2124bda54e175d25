"""The names of players and levels: check names, and put them into texts."""

from __future__ import annotations

import re
from typing import Literal, get_args
from unicodedata import normalize

from duelbook.errors import DuelbookError
from duelbook.play.similar_names import alike, forms, is_visible
from duelbook.position import player

PLAYERS = (player(0), player(1))
MAX_NAME_LENGTH = 24
Level = Literal["easy", "medium", "hard", "perfect"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The levels of the computer, weakest first; defined here because menus and help list them."""


def tidy(name: str) -> str:
    """Return a name in normal form, so that names that look the same are equal."""
    if name.isascii():
        return name.strip(" ")
    return normalize("NFC", name.strip(" "))


def check_names(names: tuple[str, str]) -> None:
    """Refuse names that look alike, look empty, or would break a line of text."""
    if names == PLAYERS:
        return
    for seat, name in enumerate(names):
        if not is_visible(name) or len(name) > MAX_NAME_LENGTH:
            raise DuelbookError(f"A name must have 1 to {MAX_NAME_LENGTH} visible characters.")
        if alike(name, PLAYERS[1 - seat]):
            raise DuelbookError(f"{PLAYERS[seat]} cannot be called {name}.")
    if names[0] == names[1]:
        raise DuelbookError(f"Both players are called {names[0]}: choose different names.")
    if alike(*names):
        raise DuelbookError(f"{names[0]} and {names[1]} look alike: choose different names.")


def is_usual(name: str) -> bool:
    """Return whether a name is, or looks like, a default name: `Player 1` or `Player 2`."""
    return any(alike(name, usual) for usual in PLAYERS)


def computer_name(level: str) -> str:
    """Return the name of a computer player at a level."""
    return f"Computer ({level})"


def is_computer_name(name: str) -> bool:
    """Return whether a name looks like a name of the computer."""
    return any(re.match(r"(the )?computer\b", form) for form in forms(name))


def named(text: str, names: tuple[str, str]) -> str:
    """Return a text with the players' names in place of `Player 1` and `Player 2`."""
    return re.sub(r"\bPlayer ([12])\b", lambda match: names[int(match[1]) - 1], text)
