"""Examines a file in separate processes, and validates everything that they send."""

from __future__ import annotations

import hashlib
import json
import os
import site
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import IO, cast
from uuid import uuid4

from duelbook import __version__
from duelbook.audit.audit_record import FAILED, UNLOADABLE, AuditLimits, AuditRecord
from duelbook.audit.sandbox import examiner_results, process_tree, supervisor
from duelbook.audit.sandbox.supervisor import AuditJob, ProcessReport

COMPANION_SUFFIXES = (".moves.txt", ".md")
MAX_FILE_BYTES = 4 << 20
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "PYTHONHOME", "SYSTEMROOT")
"""The environment variables that a file's process inherits; any other may hold a secret."""
POLL_SECONDS = 0.1  # between checks whether the audit was stopped
GRACE_SECONDS = 20.0  # for a supervisor that does not answer, and for removing a folder
MAX_REPORT_BYTES = 4 * supervisor.MAX_RESULT_BYTES
FORMAT = 2


@dataclass(frozen=True)
class Source:
    """A file to examine and the files beside it, ready to send to another machine."""

    name: str
    files: tuple[tuple[str, bytes], ...]
    fault: str = ""
    """The reason why the file cannot be examined, or an empty string."""

    @classmethod
    def read(cls, file: Path) -> Source:
        """Return the source in a file."""
        try:
            beside = [file.with_suffix(suffix) for suffix in COMPANION_SUFFIXES]
            files = [file, *(path for path in beside if path.is_file())]
            return cls(file.name, tuple((path.name, _content(path)) for path in files))
        except OSError as error:
            return cls(file.name, (), f"It cannot be read: {error.strerror}.")

    def key(self, limits: AuditLimits) -> str:
        """Return the key of a stored record: contents, limits and versions."""
        versions = [FORMAT, __version__, *sys.version_info[:2], *_numbers(limits)]
        digest = hashlib.sha256(json.dumps([*versions, self.name, self.fault]).encode())
        for name, content in self.files:
            digest.update(f"\n{json.dumps(name)} {len(content)}\n".encode() + content)
        return digest.hexdigest()


def _content(file: Path) -> bytes:
    if not file.is_file():  # reading a pipe may block, and a device may be endless
        raise OSError(0, "it is not a regular file")
    with file.open("rb") as opened:
        content = opened.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise OSError(0, f"it is larger than {MAX_FILE_BYTES >> 20} MiB")
    return content


def _numbers(limits: AuditLimits) -> list[float]:
    return [float(number) for number in asdict(limits).values()]


def examine(
    source: Source, limits: AuditLimits, stop: Event | None = None, *, namespaces: bool = True
) -> AuditRecord:
    """Return the record of a source; its code runs in another process and an empty folder."""
    if source.fault:
        return AuditRecord(UNLOADABLE, source.fault)
    started = monotonic()
    folder = Path(tempfile.mkdtemp(prefix="duelbook-audit-"))
    try:
        job = AuditJob(str(folder), source.name, source.files, limits, namespaces)
        report = _run_supervisor(job, stop or Event())
    finally:
        _remove(folder)
    if report is None:
        return AuditRecord(FAILED, "The process that supervises it was killed or stopped.")
    fields = examiner_results.record_fields(report, limits)
    return AuditRecord(
        **fields
        | {
            "without_namespaces": not report.namespaces,
            "printed": report.printed,
            "seconds": round(monotonic() - started, 2),
        }
    )


def _run_supervisor(job: AuditJob, stop: Event) -> ProcessReport | None:
    """Start a supervisor for a job; return its report, or None if it sends none."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "duelbook.audit.sandbox.supervisor"],
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C reaches only the audit, which ends its supervisors
    )
    job_pipe = cast("IO[bytes]", process.stdin)
    lines: list[bytes] = []
    reader = Thread(target=_read_line, args=[process.stdout, lines], daemon=True)
    reader.start()
    deadline = monotonic() + job.limits.time + GRACE_SECONDS
    with suppress(OSError):  # the supervisor was killed
        job_pipe.write(job.encoded())
        job_pipe.flush()
    while reader.is_alive() and monotonic() < deadline and not stop.is_set():
        reader.join(POLL_SECONDS)
    with suppress(OSError):
        job_pipe.close()  # cancels the job: the supervisor ends everything, and itself
    try:
        process.wait(2 * process_tree.END_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    try:
        return ProcessReport.decoded(lines[0])
    except (IndexError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _read_line(pipe: IO[bytes], lines: list[bytes]) -> None:
    with pipe:
        lines.append(pipe.readline(MAX_REPORT_BYTES))


def _environment() -> dict[str, str]:
    """Return the environment of a supervisor, without the user's other variables."""
    package = str(Path(__file__).parents[3])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    return {
        **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
        **{f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")},
        "PYTHONPATH": path,
        "PYTHONUSERBASE": site.getuserbase(),  # packages there are found without the home folder
        "PYTHONHASHSEED": "0",
    }


def _remove(folder: Path) -> None:
    """Remove a folder of any depth, also if parts of it are unreadable."""
    deadline = monotonic() + GRACE_SECONDS  # an escaped process may continue to fill it
    with suppress(OSError):
        while (entries := list(folder.iterdir())) and monotonic() < deadline:
            for entry in entries:
                if entry.is_symlink() or not entry.is_dir():
                    entry.unlink()
                    continue
                entry.chmod(0o700)
                for inner in entry.iterdir():
                    if not inner.is_symlink() and inner.is_dir():
                        inner.chmod(0o700)  # a folder that is moved must be writable
                    inner.rename(folder / uuid4().hex)
                entry.rmdir()
        folder.rmdir()
