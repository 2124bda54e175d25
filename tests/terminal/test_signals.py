"""Stop signals at a terminal that waits for input."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from duelbook.terminal.console.signals import LeaveSession, first_signal_raises, wait_for_input

TIMEOUT_SECONDS = 60


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """An event that other threads see when the main thread is in the system call."""
    event = threading.Event()
    usual_select, usual_interval = select.select, sys.getswitchinterval()

    def announced_select(
        readers: list[int], writers: list[int], errors: list[int]
    ) -> tuple[list[int], list[int], list[int]]:
        event.set()
        return usual_select(readers, writers, errors)

    monkeypatch.setattr(select, "select", announced_select)
    sys.setswitchinterval(TIMEOUT_SECONDS)  # no other thread runs before the system call
    yield event
    sys.setswitchinterval(usual_interval)


def test_signal_that_does_not_interrupt_the_read_ends_the_wait(waiting: threading.Event) -> None:
    """Another thread receives the signal, so nothing interrupts the main thread's system call."""
    terminal, keys = os.pipe()
    left = threading.Event()

    def send_signal() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        waiting.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        if not left.wait(TIMEOUT_SECONDS):
            os.write(keys, b"\n")  # a key ends the wait
            late.set()

    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    late = threading.Event()
    sender = threading.Thread(target=send_signal)
    try:
        with first_signal_raises():
            sender.start()
            with pytest.raises(LeaveSession):
                wait_for_input(terminal)
    finally:
        left.set()
        sender.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        os.close(terminal)
        os.close(keys)
    assert not late.is_set(), "The signal was handled only after a key."


def test_signal_without_an_exception_does_not_end_the_wait(waiting: threading.Event) -> None:
    terminal, keys = os.pipe()
    usual = signal.signal(signal.SIGUSR1, lambda *_: os.write(keys, b"\n"))

    def send_signal() -> None:
        waiting.wait()
        signal.raise_signal(signal.SIGUSR1)

    sender = threading.Thread(target=send_signal)
    try:
        sender.start()
        wait_for_input(terminal)
        sender.join()
        assert os.read(terminal, 1) == b"\n"
    finally:
        signal.signal(signal.SIGUSR1, usual)
        os.close(terminal)
        os.close(keys)
