"""Break lines that are longer than the screen: between items, and never inside a word."""

from __future__ import annotations

import re
from unicodedata import category, east_asian_width

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
BETWEEN_ITEMS = re.compile(r"(?<=\S)(?= {2,}\S)|(?<=\])(?=\[)")
BETWEEN_WORDS = re.compile(r"(?<=\S)(?= \S)")


def wrapped(text: str, width: int) -> str:
    """Return a text with its long lines broken to a width, except inside a word."""
    if len(text) <= width:
        return text
    return "\n".join(_wrapped_line(line, width) for line in text.split("\n"))


def shown_width(text: str) -> int:
    """Return the width of a text in columns, without colour codes."""
    bare = ESCAPE.sub("", text)
    if bare.isascii():
        return len(bare)
    return sum(
        0 if category(letter) in ("Mn", "Me", "Cf") else 1 + (east_asian_width(letter) in "WF")
        for letter in bare
    )


def _wrapped_line(line: str, width: int) -> str:
    """Return a line broken between its items, or between words if an item is too wide."""
    if shown_width(line) <= width:
        return line
    items = BETWEEN_ITEMS.split(line)
    if len(items) == 1 or any(shown_width(item.lstrip()) > width for item in items):
        items = BETWEEN_WORDS.split(line)
    lines = [items[0]]
    for item in items[1:]:
        if shown_width(lines[-1] + item) <= width:
            lines[-1] += item
        else:
            lines.append(item.lstrip(" "))
    return "\n".join(lines)
