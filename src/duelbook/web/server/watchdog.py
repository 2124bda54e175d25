"""The watchdog: ends a process whose event loop hangs, so that its supervisor starts it again.

A process that hangs cannot answer `/healthz`, and nobody restarts it for that: Docker only reports
the failed check, and of several workers another one answers. A server whose database fails goes on,
because a restart would not help it.
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

from duelbook.json_logs import log

STATUS = 70
"""The exit status: an internal error in sysexits.h. (uvicorn takes 3 for a failure to start.)"""
LOOKS = 10
"""How often the watchdog looks before it ends the process."""


@contextmanager
def watching(seconds: float) -> Iterator[None]:
    """End the process if its event loop does not run for this number of seconds."""
    over = threading.Event()
    watched = asyncio.get_running_loop(), threading.get_ident()
    threading.Thread(target=_watch, args=(*watched, over, seconds), daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _watch(
    loop: asyncio.AbstractEventLoop, thread: int, over: threading.Event, seconds: float
) -> None:
    answered, missed = threading.Event(), 0
    answered.set()
    while missed < LOOKS:  # looks are counted: while the whole machine sleeps, nobody looks
        if answered.is_set():
            missed = 0
            answered.clear()
            try:
                loop.call_soon_threadsafe(answered.set)
            except RuntimeError:  # the loop is closed
                return
        if over.wait(seconds / LOOKS):
            return
        missed += 1
    where = traceback.format_stack(sys._current_frames()[thread])  # noqa: SLF001 # the public name of it
    log("the event loop hangs", logging.CRITICAL, seconds=seconds, where="".join(where))
    os._exit(STATUS)
