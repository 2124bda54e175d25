"""Leaving a session: by a command, by the end of input, or by a signal."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
    if hasattr(signal, name)
]


class LeaveSession(Exception):  # noqa: N818 # not an error
    """The exception that ends a session when someone leaves it."""


@contextmanager
def first_signal_raises() -> Iterator[None]:
    """Turn the first stop signal into an exception; ignore the others, so that saving succeeds."""

    def handle(number: int, _: object) -> None:
        ignore_signals()
        raise KeyboardInterrupt if number == signal.SIGINT else LeaveSession

    usual = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def ignore_signals() -> None:
    """Ignore stop signals."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
