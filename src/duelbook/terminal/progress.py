"""Showing on a terminal that long work goes on."""

from __future__ import annotations

import sys
from time import monotonic


class Counter:
    """A count that is written over itself on the screen's error channel, if that is a terminal."""

    def __init__(self, things: str) -> None:
        self.things = things
        self._shown = 0.0
        self._width = 0

    def __call__(self, number: int, of: int | None = None) -> None:
        """Show how far the work is, ten times a second at most."""
        if sys.stderr.isatty() and monotonic() - self._shown > 0.1:
            share = f" of {of:,} ({100 * number // of} %)" if of else ""
            text = f"{number:,}{share} {self.things} …"
            self._shown, self._width = monotonic(), len(text)
            sys.stderr.write(f"\r{text}")
            sys.stderr.flush()

    def done(self) -> None:
        """Wipe the line."""
        if self._width:
            sys.stderr.write(f"\r{' ' * self._width}\r")
            sys.stderr.flush()

    def __enter__(self) -> Counter:
        return self

    def __exit__(self, *_: object) -> None:
        self.done()
