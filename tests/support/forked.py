"""`duelbook` in a process that is forked from one with all imports behind it.

What is started twenty times over would spend most of its time with imports.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing import forkserver
from multiprocessing.context import ForkServerProcess
from pathlib import Path

IMPORTS = (
    *("aiosqlite", "alembic.command", "alembic.runtime.migration", "asyncpg", "uvloop"),
    *("sqlalchemy.dialects.postgresql.asyncpg", "sqlalchemy.dialects.sqlite.aiosqlite"),
    *("uvicorn.loops.uvloop", "uvicorn.lifespan.on", "uvicorn.protocols.http.h11_impl"),
    *("uvicorn.protocols.websockets.websockets_sansio_impl", "duelbook.games"),
    *("duelbook.cli.serve", "duelbook.web.server.app", "duelbook.web.server.run_server"),
    *("duelbook.cli.arena", "scipy.special"),
)
DIES_WITH_PARENT = 1  # prctl's PR_SET_PDEATHSIG


class Forked:
    """A process that was forked, as `subprocess.Popen` has it."""

    def __init__(
        self, command: list[str], folder: Path, log: Path, environment: dict[str, str] | None = None
    ) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(list(IMPORTS))
        told = (command[1:], str(folder), str(log), environment or dict(os.environ))
        self._process: ForkServerProcess = context.Process(target=_run, args=told)
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        """Return its exit status, if it has ended."""
        return self._process.exitcode

    def send_signal(self, how: signal.Signals) -> None:
        """Send it a signal, if it has not ended."""
        if self.poll() is None:
            os.kill(self.pid, how)

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status when it has ended."""
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired("duelbook", timeout or 0)
        return status


def _run(arguments: list[str], folder: str, log: str, environment: dict[str, str]) -> None:
    """Be `duelbook` with these arguments."""
    os.setsid()
    # A copy of the pipe that tells the forkserver to end; it would keep the forkserver alive.
    os.close(forkserver._forkserver._forkserver_alive_fd)  # type: ignore[attr-defined] # noqa: SLF001 # it has no other name
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)
    os.chdir(folder)
    os.environ.clear()  # what the first server was started with is not for this one
    os.environ.update(environment)
    with Path(log).open("ab") as out:
        for number in (1, 2):
            os.dup2(out.fileno(), number)
    from duelbook.cli import main

    main(arguments)
