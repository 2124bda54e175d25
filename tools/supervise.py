"""Run a command, then name and end every process that it leaves behind.

    python -P tools/supervise.py [--grace SECONDS] COMMAND [argument ...]

The exit status is that of the command, or 1 if it succeeded and left processes behind. This program
passes signals on to the command. Ctrl-C interrupts the command, and this program still cleans up.

On Linux this program adopts the processes whose parents have ended, so that none escapes. On other
systems it only runs the command.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

PR_SET_CHILD_SUBREAPER = 36


def main() -> int:
    """Run a command and return the exit status."""
    parser = argparse.ArgumentParser(description="Run a command, and end what it leaves behind.")
    parser.add_argument(
        "--grace", type=float, default=20.0, help="seconds for processes to end by themselves"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    command: list[str] = arguments.command
    on_linux = sys.platform == "linux"
    if on_linux:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # In the background, a shell makes this program ignore Ctrl-C; the command must not ignore it.
    child = os.posix_spawnp(command[0], command, os.environ, setpgroup=0, setsigdef=[signal.SIGINT])
    _pass_signals_on(child)
    status = _wait(child)
    if not on_linux:
        return status
    remaining = _remaining_after(arguments.grace)
    if not remaining:
        return status
    for pid in remaining:
        sys.stderr.write(f"STILL RUNNING {_describe(pid)}\n")
    while remaining := _living_descendants():
        for pid in remaining:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _reap()
        time.sleep(0.02)
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    sys.stderr.write("Processes outlived the command, and were ended.\n")
    return status or 1


def _pass_signals_on(group: int) -> None:
    """Send signals to the process group of the command, as a terminal would."""

    def forward(number: int, _: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.killpg(group, number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, forward)


def _wait(child: int) -> int:
    """Wait for the command, reaping orphans meanwhile; return its exit status."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _remaining_after(seconds: float) -> list[int]:
    """Wait some seconds at most; return the processes that have not ended by themselves."""
    deadline = time.monotonic() + seconds
    while True:
        _reap()
        remaining = _living_descendants()
        if not remaining or time.monotonic() > deadline:
            return remaining
        time.sleep(0.05)


def _living_descendants() -> list[int]:
    """Return the processes that descend from this one, without those that have ended."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # the process has just ended
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                children.setdefault(int(parent), []).append(int(stat.parent.name))
    living = children.get(os.getpid(), [])
    for pid in living:
        living += children.get(pid, [])
    return living


def _describe(pid: int) -> str:
    """Return the command line of a process, and the test that started it, if any."""
    folder = Path("/proc") / str(pid)
    with suppress(OSError):
        command = folder.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
        variables = folder.joinpath("environ").read_bytes().decode(errors="replace").split("\0")
        test = dict(item.partition("=")[::2] for item in variables).get("PYTEST_CURRENT_TEST")
        return f"{pid}: {command[:200]}" + (f" (started by {test})" if test else "")
    return f"{pid}: it has just ended"


if __name__ == "__main__":
    sys.exit(main())
