"""Read the move in an answer: the last JSON object with `move`, and nothing else.

This module ignores prose. It also ignores reasoning: the server's separate field, or the text
between <think> and </think>.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder

DECODER = JSONDecoder(strict=False, parse_int=float)  # lines in strings; long numbers
OBJECT_START = re.compile(r'\{\s*"')
MOVE_OBJECT_START = re.compile(r'\{\s*"move"')
MAX_BROKEN_OBJECTS = 1000  # reading stops after more broken objects, because each costs time
OPENING_TAG, CLOSING_TAG = "<think>", "</think>"


def move_in(text: str) -> str | None:
    """Return the move that an answer names, or None if it names none.

    As at the terminal, outer white space, the number of blanks between words and the case of
    letters do not matter. No two moves of a game differ in these alone.
    """
    move = _last_move(_without_reasoning(text))
    return " ".join(move.casefold().split()) if isinstance(move, str) else None


def _without_reasoning(text: str) -> str:
    """Return the text after the reasoning; servers may omit the opening tag."""
    return text.rpartition(CLOSING_TAG)[2].partition(OPENING_TAG)[0]


def _last_move(text: str) -> object:
    """Return `move` of the last JSON object that has it; None if none has it or it is broken.

    Objects inside other objects do not count, because they may hold rejected moves.
    """
    move: object = None
    offset = broken = 0
    while start := OBJECT_START.search(text, offset):
        try:
            json_object, offset = DECODER.raw_decode(text, start.start())
            move = json_object.get("move", move)
        except JSONDecodeError as error:
            offset, broken = max(error.pos, start.end() - 1), broken + 1
            if MOVE_OBJECT_START.match(text, start.start()):
                move = None
        except RecursionError:  # thousands of nested brackets
            return None
        if broken > MAX_BROKEN_OBJECTS:
            return None
    return move
