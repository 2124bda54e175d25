"""Errors in an author's code: what was raised, and in which line of the author's file."""

from __future__ import annotations

import traceback

LONGEST = 200


def printable(text: str) -> str:
    """Return a text with escape sequences, line breaks and all that is invisible written out."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def raised(error: BaseException) -> str:
    """Return an error as one line: `ValueError: too many`."""
    said = " ".join(str(error).split())[:LONGEST]
    name = type(error).__name__[:LONGEST]
    return printable(f"{name}: {said}" if said else name)


def line_of(error: BaseException, file: str) -> int | None:
    """Return the innermost line of a file in an error's traceback, if there is one."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == file), None)
