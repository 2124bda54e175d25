"""Starts the examiner process of a file, enforces its limits, and ends it with its descendants.

The supervisor is a process. It reads a job from standard input and writes a report to standard
output. The end of its standard input cancels the job. The examiner inherits neither stream.
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

from duelbook.audit.audit_record import AuditLimits
from duelbook.audit.sandbox import namespaces, process_tree

POLL_SECONDS = 0.1  # between checks of the limits
MAX_RESULT_BYTES = 1 << 20  # from an examiner
SELF_ENDED, TIME_LIMIT, MEMORY_LIMIT, PROCESS_LIMIT, RESULT_LIMIT, CANCELLED = (
    *("ended by itself", "time is up", "too much memory", "too many processes"),
    *("too many results", "nobody waits any more"),
)
REASONS = (SELF_ENDED, TIME_LIMIT, MEMORY_LIMIT, PROCESS_LIMIT, RESULT_LIMIT, CANCELLED)
"""The reasons why an examiner ends."""


@dataclass(frozen=True)
class AuditJob:
    """A file to examine, with the files beside it, in a folder that is removed afterwards."""

    folder: str
    name: str
    files: tuple[tuple[str, bytes], ...]
    limits: AuditLimits
    namespaces: bool = True

    def encoded(self) -> bytes:
        """Return the job as a line of JSON."""
        files = [(name, base64.b64encode(content).decode()) for name, content in self.files]
        return json.dumps(asdict(self) | {"files": files}).encode() + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> AuditJob:
        """Return the job in a line of JSON."""
        data = json.loads(line)
        files = tuple((name, base64.b64decode(content)) for name, content in data["files"])
        return cls(**data | {"files": files, "limits": AuditLimits(**data["limits"])})


@dataclass(frozen=True)
class ProcessReport:
    """The end of an examiner, and its results."""

    reason: str
    code: int
    results: bytes
    printed: int
    namespaces: bool

    def encoded(self) -> bytes:
        """Return the report as a line of JSON."""
        data = asdict(self) | {"results": base64.b64encode(self.results).decode()}
        return json.dumps(data).encode() + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> ProcessReport:
        """Return the report in a line of JSON; raise ValueError or TypeError if it is invalid."""
        data = json.loads(line)
        report = cls(**data | {"results": base64.b64decode(data["results"])})
        if report.reason not in REASONS or not all(
            isinstance(number, int) for number in (report.code, report.printed, report.namespaces)
        ):
            raise ValueError
        return report


def main() -> None:
    """Do the job on standard input, in new namespaces if possible."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # process 1 of a namespace ignores other signals
    job = AuditJob.decoded(sys.stdin.buffer.readline())

    def work(*, in_namespaces: bool = True) -> None:
        sys.stdout.buffer.write(_supervise(job, in_namespaces=in_namespaces).encoded())
        sys.stdout.buffer.flush()

    folder = Path(job.folder)
    if not (job.namespaces and namespaces.run(work, folder, job.limits.disk)):
        work(in_namespaces=False)


def _supervise(job: AuditJob, *, in_namespaces: bool) -> ProcessReport:
    """Run an examiner within limits; end it with all its descendants."""
    cancelled = Event()
    Thread(target=_wait_for_end_of_input, args=[cancelled], daemon=True).start()
    process_tree.adopt_orphans()
    process = _start_examiner(job, in_namespaces=in_namespaces)
    results, printed = _PipeReader(process.stdout, MAX_RESULT_BYTES), _PipeReader(process.stderr)
    reason = _watch(process, job.limits, results, cancelled)
    process_tree.end_all(process)
    content, sent = results.finish()
    _, count = printed.finish()
    reason = RESULT_LIMIT if sent > MAX_RESULT_BYTES else reason
    return ProcessReport(reason, process.returncode, content, count, namespaces=in_namespaces)


def _wait_for_end_of_input(cancelled: Event) -> None:
    with suppress(OSError):
        while os.read(0, 1 << 16):
            pass
    cancelled.set()


def _start_examiner(job: AuditJob, *, in_namespaces: bool) -> subprocess.Popen[bytes]:
    folder = Path(job.folder)
    files = folder / "files"
    files.mkdir()
    for name, content in job.files:
        (files / name).write_bytes(content)
    arguments = [
        str(files / job.name),
        json.dumps(asdict(job.limits)),
        "in-namespaces" if in_namespaces else "shared",
    ]
    return subprocess.Popen(  # noqa: S603 # our own module; the user named the file that it loads
        # -P: no file can shadow a module
        [sys.executable, "-P", "-m", "duelbook.audit.sandbox.examiner", *arguments],
        cwd=files,
        env={**os.environ, "HOME": str(folder), "TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


class _PipeReader:
    """Reads a pipe to its end, stores the first bytes and counts all of them."""

    def __init__(self, pipe: IO[bytes] | None, limit: int = 0) -> None:
        self.sent = 0
        self._limit = limit
        self._stored = bytearray()
        self._thread = Thread(target=self._read, args=[pipe], daemon=True)
        self._thread.start()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe, suppress(OSError):
            while chunk := os.read(pipe.fileno(), 1 << 16):
                self._stored += chunk[: max(0, self._limit - self.sent)]
                self.sent += len(chunk)

    def finish(self) -> tuple[bytes, int]:
        """Return the stored bytes, and the number of bytes that were sent."""
        self._thread.join(1)  # without namespaces, an escaped process may hold the pipe open
        return bytes(self._stored), self.sent


def _watch(
    process: subprocess.Popen[bytes], limits: AuditLimits, results: _PipeReader, cancelled: Event
) -> str:
    """Wait until a process ends or must end; return the reason."""
    deadline = monotonic() + limits.time
    while (left := deadline - monotonic()) > 0:
        with suppress(subprocess.TimeoutExpired):
            process.wait(min(POLL_SECONDS, left))
            return SELF_ENDED
        if cancelled.is_set():
            return CANCELLED
        if results.sent > MAX_RESULT_BYTES:
            return RESULT_LIMIT
        processes = process_tree.descendants()
        if sum(child.threads for child in processes) > limits.processes:
            return PROCESS_LIMIT
        if process_tree.memory(processes) > limits.memory << 20:
            return MEMORY_LIMIT
    return TIME_LIMIT


if __name__ == "__main__":
    main()
