"""The watchdog: it ends a process whose event loop hangs, so that its supervisor restarts it.

A hanging process cannot answer `/healthz`, but a failed check restarts nothing. Docker only reports
the failure, and with several workers another worker answers. A server whose database fails keeps
running, because a restart would not help.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from duelbook.system.json_logs import log

EXIT_STATUS = 70
"""The exit status: an internal error in sysexits.h. (uvicorn uses 3 for a failure to start.)"""
MAX_MISSED_CHECKS = 10
"""The number of checks that must fail in a row before the watchdog ends the process."""


@contextmanager
def watchdog(seconds: float) -> Iterator[None]:
    """End the process if its event loop does not run for this number of seconds."""
    stopped = threading.Event()
    watched = asyncio.get_running_loop(), threading.get_ident()
    threading.Thread(target=_watch, args=(*watched, stopped, seconds), daemon=True).start()
    try:
        yield
    finally:
        stopped.set()


def _watch(
    loop: asyncio.AbstractEventLoop, thread: int, stopped: threading.Event, seconds: float
) -> None:
    answered, missed = threading.Event(), 0
    answered.set()
    while missed < MAX_MISSED_CHECKS:  # count checks, not time: a sleeping machine makes no checks
        if answered.is_set():
            missed = 0
            answered.clear()
            try:
                loop.call_soon_threadsafe(answered.set)
            except RuntimeError:  # the loop is closed
                return
        if stopped.wait(seconds / MAX_MISSED_CHECKS):
            return
        missed += 1
    where = traceback.format_stack(sys._current_frames()[thread])  # noqa: SLF001 # documented, despite its name
    log("the event loop hangs", logging.CRITICAL, seconds=seconds, where="".join(where))
    os._exit(EXIT_STATUS)
