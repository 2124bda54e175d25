"""Leaving a session: by a command, by the end of input, or by a signal."""

from __future__ import annotations

import os
import select
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


def wait_for_input(file: int) -> None:
    """Wait until the file can be read, or until the handler of a signal raises an exception.

    A plain read sleeps through a signal that arrives just before it, because Python calls handlers
    only between its own instructions. So a pipe that each signal writes to ends the wait.
    """
    signaled, signals = os.pipe()
    os.set_blocking(signals, False)
    usual = signal.set_wakeup_fd(signals, warn_on_full_buffer=False)
    try:
        while file not in select.select([file, signaled], [], [])[0]:
            os.read(signaled, 1)
    finally:
        signal.set_wakeup_fd(usual)
        os.close(signaled)
        os.close(signals)
