"""Examines a file in processes of its own, and takes nothing on trust that they send."""

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
from duelbook.audit.records import FAILED, UNLOADABLE, AuditLimits, AuditRecord
from duelbook.audit.sandbox import keeper, probe_results, process_tree
from duelbook.audit.sandbox.keeper import Answer, AuditJob

BESIDE = (".moves.txt", ".md")
MAX_FILE_BYTES = 4 << 20
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "PYTHONHOME", "SYSTEMROOT")
"""The environment variables that a file's process inherits; any other may hold a secret."""
POLL_INTERVAL = 0.1  # seconds between looks at whether the audit was stopped
GRACE = 20.0  # seconds that are given to a keeper that does not answer, and to tidying up
MAX_ANSWER_BYTES = 4 * keeper.MAX_RESULT_BYTES
FORMAT = 2


@dataclass(frozen=True)
class Source:
    """A file to examine and the files beside it, ready to send to another machine."""

    name: str
    files: tuple[tuple[str, bytes], ...]
    fault: str = ""
    """Why the file cannot be examined."""

    @classmethod
    def read(cls, file: Path) -> Source:
        """Return the source in a file."""
        try:
            beside = [file.with_suffix(suffix) for suffix in BESIDE]
            files = [file, *(one for one in beside if one.is_file())]
            return cls(file.name, tuple((one.name, _content(one)) for one in files))
        except OSError as error:
            return cls(file.name, (), f"It cannot be read: {error.strerror}.")

    def key(self, limits: AuditLimits) -> str:
        """Return the key of a stored record: contents, limits and versions."""
        made_by = [FORMAT, __version__, *sys.version_info[:2], *_numbers(limits)]
        digest = hashlib.sha256(json.dumps([*made_by, self.name, self.fault]).encode())
        for name, content in self.files:
            digest.update(f"\n{json.dumps(name)} {len(content)}\n".encode() + content)
        return digest.hexdigest()


def _content(file: Path) -> bytes:
    if not file.is_file():  # nobody may ever write to a pipe, and a device may never end
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
    """Return the record of a source, whose code runs in another process and an empty folder."""
    if source.fault:
        return AuditRecord(UNLOADABLE, source.fault)
    started = monotonic()
    folder = Path(tempfile.mkdtemp(prefix="duelbook-audit-"))
    try:
        job = AuditJob(str(folder), source.name, source.files, limits, namespaces)
        answer = _ask(job, stop or Event())
    finally:
        _remove(folder)
    if answer is None:
        return AuditRecord(FAILED, "The process that watches it was killed or stopped.")
    found = probe_results.judged(answer, limits)
    return AuditRecord(
        **found
        | {
            "without_namespaces": not answer.namespaces,
            "printed": answer.printed,
            "seconds": round(monotonic() - started, 2),
        }
    )


def _ask(job: AuditJob, stop: Event) -> Answer | None:
    """Have a job done by a keeper; return its answer, if it gives one."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "duelbook.audit.sandbox.keeper"],
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the audit, which ends its keepers
    )
    told = cast("IO[bytes]", process.stdin)
    heard: list[bytes] = []
    listener = Thread(target=_listen, args=[process.stdout, heard], daemon=True)
    listener.start()
    deadline = monotonic() + job.limits.time + GRACE
    with suppress(OSError):  # a keeper that was killed
        told.write(job.encoded())
        told.flush()
    while listener.is_alive() and monotonic() < deadline and not stop.is_set():
        listener.join(POLL_INTERVAL)
    with suppress(OSError):
        told.close()  # nobody waits any more: the keeper ends all, and itself
    try:
        process.wait(2 * process_tree.END_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    try:
        return Answer.decoded(heard[0])
    except (IndexError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _listen(pipe: IO[bytes], heard: list[bytes]) -> None:
    with pipe:
        heard.append(pipe.readline(MAX_ANSWER_BYTES))


def _environment() -> dict[str, str]:
    """Return the environment of a file's process, without what belongs to the user alone."""
    ours = str(Path(__file__).parents[3])
    path = os.pathsep.join(filter(None, [ours, os.environ.get("PYTHONPATH")]))
    return {
        **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
        **{f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")},
        "PYTHONPATH": path,
        "PYTHONUSERBASE": site.getuserbase(),  # packages there are found without the home folder
        "PYTHONHASHSEED": "0",
    }


def _remove(folder: Path) -> None:
    """Remove a folder, however deep it is and whatever may not be read in it."""
    deadline = monotonic() + GRACE  # where processes can escape, one may go on filling it
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
