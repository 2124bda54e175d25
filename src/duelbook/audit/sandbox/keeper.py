"""The process above a file's process: it starts it, watches it, and ends it with all it started.

It reads a job from standard input, which stays open for as long as anybody wants the answer, and
writes the answer to standard output. The file's process has neither.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import IO

from duelbook.audit.records import AuditLimits
from duelbook.audit.sandbox import namespaces, process_tree

LOOK_INTERVAL = 0.1  # seconds between looks at the processes
MAX_RESULT_BYTES = 1 << 20
"""The most bytes of results that are taken from a file's process."""
ITSELF, TIME, MEMORY, PROCESSES, RESULTS, UNWANTED = (
    *("ended by itself", "time is up", "too much memory", "too many processes"),
    *("too many results", "nobody waits any more"),
)
REASONS = (ITSELF, TIME, MEMORY, PROCESSES, RESULTS, UNWANTED)
"""Why a file's process ended."""


@dataclass(frozen=True)
class AuditJob:
    """A file to examine, with the files beside it, in a folder that is removed afterwards."""

    folder: str
    name: str
    files: tuple[tuple[str, bytes], ...]
    limits: AuditLimits
    namespaces: bool = True

    def encoded(self) -> bytes:
        """Return the job as a line."""
        files = [(name, base64.b64encode(content).decode()) for name, content in self.files]
        return json.dumps(asdict(self) | {"files": files}).encode() + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> AuditJob:
        """Return the job in a line."""
        told = json.loads(line)
        files = tuple((name, base64.b64decode(content)) for name, content in told["files"])
        return cls(**told | {"files": files, "limits": AuditLimits(**told["limits"])})


@dataclass(frozen=True)
class Answer:
    """How a file's process ended, and what it sent."""

    why: str
    code: int
    results: bytes
    printed: int
    namespaces: bool

    def encoded(self) -> bytes:
        """Return the answer as a line."""
        told = asdict(self) | {"results": base64.b64encode(self.results).decode()}
        return json.dumps(told).encode() + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> Answer:
        """Return the answer in a line; raise ValueError or TypeError if it is another's."""
        told = json.loads(line)
        answer = cls(**told | {"results": base64.b64decode(told["results"])})
        if answer.why not in REASONS or not all(
            isinstance(one, int) for one in (answer.code, answer.printed, answer.namespaces)
        ):
            raise ValueError
        return answer


def main() -> None:
    """Do the job on standard input, in namespaces of its own if possible."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process inside hears handlers alone
    job = AuditJob.decoded(sys.stdin.buffer.readline())

    def work(*, inside: bool = True) -> None:
        sys.stdout.buffer.write(_keep(job, inside=inside).encoded())
        sys.stdout.buffer.flush()

    folder = Path(job.folder)
    if not (job.namespaces and namespaces.run(work, folder, job.limits.disk)):
        work(inside=False)


def _keep(job: AuditJob, *, inside: bool) -> Answer:
    """Run the file's process within limits; end it with all that it started."""
    unwanted = Event()
    Thread(target=_wait_for_end_of_input, args=[unwanted], daemon=True).start()
    process_tree.adopt_orphans()
    process = _begin(job, inside=inside)
    results, printed = _Drain(process.stdout, MAX_RESULT_BYTES), _Drain(process.stderr)
    why = _watch(process, job.limits, results, unwanted)
    process_tree.end_all(process)
    content, sent = results.finish()
    why = RESULTS if sent > MAX_RESULT_BYTES else why
    return Answer(why, process.returncode, content, printed.finish()[1], namespaces=inside)


def _wait_for_end_of_input(unwanted: Event) -> None:
    with suppress(OSError):
        while os.read(0, 1 << 16):
            pass
    unwanted.set()


def _begin(job: AuditJob, *, inside: bool) -> subprocess.Popen[bytes]:
    folder = Path(job.folder)
    here = folder / "files"
    here.mkdir()
    for name, content in job.files:
        (here / name).write_bytes(content)
    told = [str(here / job.name), json.dumps(asdict(job.limits)), "alone" if inside else "shared"]
    return subprocess.Popen(  # noqa: S603 # our own module; the user named the file that it loads
        # -P: no file can shadow a module
        [sys.executable, "-P", "-m", "duelbook.audit.sandbox.probe", *told],
        cwd=here,
        env={**os.environ, "HOME": str(folder), "TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


class _Drain:
    """Reads a pipe to its end, keeps the first bytes and counts them all."""

    def __init__(self, pipe: IO[bytes] | None, most: int = 0) -> None:
        self.sent = 0
        self._most = most
        self._kept = bytearray()
        self._thread = Thread(target=self._take, args=[pipe], daemon=True)
        self._thread.start()

    def _take(self, pipe: IO[bytes]) -> None:
        with pipe, suppress(OSError):
            while some := os.read(pipe.fileno(), 1 << 16):
                self._kept += some[: max(0, self._most - self.sent)]
                self.sent += len(some)

    def finish(self) -> tuple[bytes, int]:
        """Return what was kept, and how many bytes were sent."""
        self._thread.join(1)  # where processes can escape, one may keep the pipe open
        return bytes(self._kept), self.sent


def _watch(
    process: subprocess.Popen[bytes], limits: AuditLimits, results: _Drain, unwanted: Event
) -> str:
    """Wait for a process to end; return why it has ended or must end."""
    deadline = monotonic() + limits.time
    while (left := deadline - monotonic()) > 0:
        with suppress(subprocess.TimeoutExpired):
            process.wait(min(LOOK_INTERVAL, left))
            return ITSELF
        if unwanted.is_set():
            return UNWANTED
        if results.sent > MAX_RESULT_BYTES:
            return RESULTS
        running = process_tree.descendants()
        if sum(one.threads for one in running) > limits.processes:
            return PROCESSES
        if process_tree.memory(running) > limits.memory << 20:
            return MEMORY
    return TIME


if __name__ == "__main__":
    main()
