"""Read the move in an answer: the last JSON object with `move`, and nothing else.

This module ignores prose. It also ignores reasoning: the server's separate field, or the text
between <think> and </think>.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder

DECODER = JSONDecoder(strict=False, parse_int=float)  # lines in strings; long numbers
BEGINS = re.compile(r'\{\s*"')
MOVE_BEGINS = re.compile(r'\{\s*"move"')
MAX_BROKEN_OBJECTS = 1000  # reading stops after more broken objects, because each costs time
OPENS, CLOSES = "<think>", "</think>"


def move_in(text: str) -> str | None:
    """Return the move that an answer names, or None if it names none.

    As at the terminal, outer white space, the number of blanks between words and the case of
    letters do not matter. No two moves of a game differ in these alone.
    """
    said = _last_move(_without_reasoning(text))
    return " ".join(said.casefold().split()) if isinstance(said, str) else None


def _without_reasoning(text: str) -> str:
    """Return the text after the reasoning; servers may omit the opening tag."""
    return text.rpartition(CLOSES)[2].partition(OPENS)[0]


def _last_move(text: str) -> object:
    """Return `move` of the last JSON object that has it; None if none has it or it is broken.

    Objects inside other objects do not count, because they may hold rejected moves.
    """
    said: object = None
    at = broken = 0
    while begins := BEGINS.search(text, at):
        try:
            found_object, at = DECODER.raw_decode(text, begins.start())
            said = found_object.get("move", said)
        except JSONDecodeError as error:
            at, broken = max(error.pos, begins.end() - 1), broken + 1
            if MOVE_BEGINS.match(text, begins.start()):
                said = None
        except RecursionError:  # thousands of nested brackets
            return None
        if broken > MAX_BROKEN_OBJECTS:
            return None
    return said
