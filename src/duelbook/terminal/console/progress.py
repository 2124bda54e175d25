"""A progress counter for long work."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from threading import Timer
from time import monotonic

WIDTH = 30
DELAY_SECONDS = 0.3
"""Show a message only if the work takes longer than this."""


class Counter:
    """A count on standard error, or a bar if the total is known.

    Each update overwrites the last one. Without a terminal, nothing is printed.
    """

    def __init__(self, things: str) -> None:
        self.things = things
        self._shown = 0.0
        self._width = 0

    def __call__(self, number: int, of: int | None = None) -> None:
        """Show the progress, at most ten times a second."""
        if sys.stderr.isatty() and monotonic() - self._shown > 0.1:
            text = f"{number:,} {self.things} …" if of is None else self._bar(number, of)
            self._shown, self._width = monotonic(), len(text)
            sys.stderr.write(f"\r{text}")
            sys.stderr.flush()

    def _bar(self, number: int, of: int) -> str:
        count = f" {number:,} of {of:,} {self.things}"
        width = min(WIDTH, get_terminal_size().columns - len(count) - 3)
        if width < 1:
            return f"{100 * number // of} %"
        done = width * number // of
        return f"[{'#' * done}{'.' * (width - done)}]{count}"

    def done(self) -> None:
        """Clear the line."""
        if self._width:
            sys.stderr.write(f"\r{' ' * self._width}\r")
            sys.stderr.flush()

    def __enter__(self) -> Counter:
        return self

    def __exit__(self, *_: object) -> None:
        self.done()


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Print a text on standard error if the block takes long, and clear it afterwards."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        yield
        return
    shown: list[str] = []

    def show() -> None:
        shown.append(f"{text} …")
        sys.stderr.write(f"\r{shown[0]}")
        sys.stderr.flush()

    timer = Timer(DELAY_SECONDS, show)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for line in shown:
            sys.stderr.write(f"\r{' ' * len(line)}\r")
            sys.stderr.flush()
