"""The descendants of this process: list them, measure their memory, end them."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

PR_SET_CHILD_SUBREAPER = 36
POLL_SECONDS = 0.005
END_TIMEOUT_SECONDS = 10.0  # a process that waits for a disk cannot be killed
PROC = "/proc"
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0


class Process(NamedTuple):
    """A living process, as `/proc` shows it."""

    number: int
    parent: int
    threads: int
    pages: int
    """The resident pages of its memory."""


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (on Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants() -> list[Process]:
    """Return the living descendants of this process; Linux only."""
    children: dict[int, list[Process]] = {}
    for process in _all():
        children.setdefault(process.parent, []).append(process)
    processes: list[Process] = []
    parents = [os.getpid()]
    while parents:
        generation = children.get(parents.pop(), [])
        processes += generation
        parents += [process.number for process in generation]
    return processes


def end_all(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all its descendants; on Linux, until none is left."""
    if sys.platform != "linux":
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        return
    process.kill()
    process.wait()
    deadline = monotonic() + END_TIMEOUT_SECONDS
    while monotonic() < deadline:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:  # orphans become our children, so this means: no descendants
            return
        if not ended:
            for child in descendants():
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(child.number, signal.SIGKILL)
            sleep(POLL_SECONDS)


def _all() -> Iterator[Process]:
    """Yield all living processes that `/proc` shows."""
    for name in filter(str.isdecimal, os.listdir(PROC)):  # noqa: PTH208 # a tenth of the time
        with suppress(OSError, ValueError):  # it ended in the meantime
            with open(f"{PROC}/{name}/stat", "rb", buffering=0) as opened:  # noqa: PTH123 # as above
                _, _, after_name = opened.read().rpartition(b") ")
            state, parent, *rest = after_name.split(None, 22)
            if state not in {b"Z", b"X"}:
                yield Process(int(name), int(parent), int(rest[15]), int(rest[19]))


def memory(processes: list[Process]) -> int:
    """Return the bytes that processes use, without mapped files."""
    return sum(process.pages - _file_pages(process.number) for process in processes) * PAGE_BYTES


def _file_pages(number: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"{PROC}/{number}/statm").read_bytes().split()[2])
    return 0
