"""What an author's code raised, and in which line of the author's file."""

from __future__ import annotations

import traceback

LONGEST = 200


def raised(error: BaseException) -> str:
    """Return what was raised as one line: `ValueError: too many`."""
    said = " ".join(str(error).split())[:LONGEST]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def line_of(error: BaseException, file: str) -> int | None:
    """Return the last line of a file that an error came through, if it did."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == file), None)
