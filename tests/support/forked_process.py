"""`duelbook` in a process that is forked from a process with all imports.

Tests start many processes. Without the fork, each would spend most of its time on imports.
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


class ForkedProcess:
    """A forked process with the interface of `subprocess.Popen`."""

    def __init__(
        self, command: list[str], folder: Path, log: Path, environment: dict[str, str] | None = None
    ) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(list(IMPORTS))
        arguments = (command[1:], str(folder), str(log), environment or dict(os.environ))
        self._process: ForkServerProcess = context.Process(target=_run, args=arguments)
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        """Return the exit status, or None if the process runs."""
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the process."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the process, and return its exit status."""
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired("duelbook", timeout or 0)
        return status


def _run(arguments: list[str], folder: str, log: str, environment: dict[str, str]) -> None:
    """Run `duelbook` with these arguments."""
    os.setsid()
    # This copy of the forkserver's pipe would keep the forkserver alive.
    os.close(forkserver._forkserver._forkserver_alive_fd)  # type: ignore[attr-defined] # noqa: SLF001 # it has no other name
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)
    os.chdir(folder)
    os.environ.clear()  # remove the variables of the process that started the forkserver
    os.environ.update(environment)
    with Path(log).open("ab") as out:
        for number in (1, 2):
            os.dup2(out.fileno(), number)
    from duelbook.cli import main

    main(arguments)
