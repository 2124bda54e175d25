"""Errors in an author's code: their text, and the line of the author's file."""

from __future__ import annotations

import traceback

MAX_TEXT_LENGTH = 200


def printable(text: str) -> str:
    """Return a text with escape sequences in place of invisible characters."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def error_text(error: BaseException) -> str:
    """Return an error as one line: `ValueError: too many`."""
    text = " ".join(str(error).split())[:MAX_TEXT_LENGTH]
    name = type(error).__name__[:MAX_TEXT_LENGTH]
    return printable(f"{name}: {text}" if text else name)


def line_of(error: BaseException, file: str) -> int | None:
    """Return the number of a file's innermost line in an error's traceback, or None."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == file), None)
