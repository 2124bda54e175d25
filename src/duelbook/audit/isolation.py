"""Examines a file in its own process, which is killed at the time limit."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import IO, Any
from uuid import uuid4

from duelbook import __version__
from duelbook.audit.records import CRASHED, DONE, ENDED, OUT_OF_TIME, Limits, Record

BESIDE = (".moves.txt", ".md")
POLL_INTERVAL = 0.1  # seconds between checks of the clock
FORMAT = 1


@dataclass(frozen=True)
class Source:
    """A file to examine and the files beside it, ready to send to another machine."""

    name: str
    files: tuple[tuple[str, bytes], ...]

    @classmethod
    def read(cls, file: Path) -> Source:
        """Return the source in a file."""
        files = [file, *(file.with_suffix(suffix) for suffix in BESIDE)]
        return cls(file.name, tuple((f.name, f.read_bytes()) for f in files if f.is_file()))

    def key(self, limits: Limits) -> str:
        """Return the cache key of a record: contents, limits and versions."""
        made_by = [FORMAT, __version__, *sys.version_info[:2], *_numbers(limits), self.name]
        digest = hashlib.sha256(json.dumps(made_by).encode())
        for name, content in self.files:
            digest.update(f"\n{name} {len(content)}\n".encode() + content)
        return digest.hexdigest()


def _numbers(limits: Limits) -> list[float]:
    return [float(number) for number in asdict(limits).values()]


def examine(source: Source, limits: Limits, stop: Event | None = None) -> Record:
    """Return the record of a source, whose code runs in a child process and an empty folder."""
    started = monotonic()
    with tempfile.TemporaryDirectory(prefix="duelbook-audit-") as folder:
        here, results = Path(folder) / "files", Path(folder) / "results"
        here.mkdir()
        for name, content in source.files:
            (here / name).write_bytes(content)
        mark = f"DUELBOOK_AUDIT_{uuid4().hex}"
        process = _begin(here / source.name, results, limits, mark)
        printed = _Drain(process)
        in_time = _wait(process, limits.time, stop)
        _end(process, mark)
        found = _noted(results)
    found |= {"printed": printed.total(), "seconds": round(monotonic() - started, 2)}
    return Record.of(found | _how_it_ended(found, process.returncode, limits, in_time=in_time))


def _begin(file: Path, results: Path, limits: Limits, mark: str) -> subprocess.Popen[bytes]:
    ours = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [ours, os.environ.get("PYTHONPATH")]))
    one_thread = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
    told = [str(file), str(results), json.dumps(asdict(limits))]
    return subprocess.Popen(  # noqa: S603 # our own module; the user named the file that it loads
        [
            sys.executable,
            "-P",
            "-m",
            "duelbook.audit.probe",
            *told,
        ],  # -P: no file can shadow a module
        cwd=file.parent,
        env={**os.environ, **one_thread, "PYTHONPATH": path, "PYTHONHASHSEED": "0", mark: "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


class _Drain:
    """Reads and counts the output of a process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._bytes = 0
        self._thread = Thread(target=self._take, args=[process.stdout], daemon=True)
        self._thread.start()

    def _take(self, pipe: IO[bytes]) -> None:
        with pipe, suppress(OSError, ValueError):
            while some := os.read(pipe.fileno(), 1 << 16):
                self._bytes += len(some)

    def total(self) -> int:
        self._thread.join(1)  # an escaped process may keep the pipe open
        return self._bytes


def _wait(process: subprocess.Popen[bytes], seconds: float, stop: Event | None) -> bool:
    """Wait for a process to end; return whether it ended in time."""
    deadline = monotonic() + seconds
    while (left := deadline - monotonic()) > 0 and not (stop and stop.is_set()):
        with suppress(subprocess.TimeoutExpired):
            process.wait(min(POLL_INTERVAL, left))
            return True
    return False


def _end(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a process and its descendants."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    while escaped := _marked(mark):  # repeat for processes started in the meantime
        for number in escaped:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        sleep(POLL_INTERVAL)


def _marked(mark: str) -> list[int]:
    """Return the processes outside the group that inherited the marker (on Linux)."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # not ours, or gone; empty for a dead process
            if mark.encode() in (place / "environ").read_bytes():
                found.append(int(place.name))
    return found


def _noted(results: Path) -> dict[str, Any]:
    """Return the recorded facts; the last line may be incomplete."""
    found: dict[str, Any] = {}
    text = results.read_text(encoding="utf-8", errors="replace") if results.is_file() else ""
    for line in text.splitlines():
        with suppress(json.JSONDecodeError):
            noted = json.loads(line)
            noted["notes"] = [*found.get("notes", []), *noted.get("notes", [])]
            found |= noted
    return found


def _how_it_ended(
    found: dict[str, Any], code: int, limits: Limits, *, in_time: bool
) -> dict[str, Any]:
    stage = found.get("stage", "it begins")
    if stage == DONE:
        return {}
    if not in_time or -code == getattr(signal, "SIGALRM", 0):
        slow = f"It takes more than {limits.time:g} s {stage}."
        if "outcome" in found:  # only the last stage is missing
            return {"notes": [*found["notes"], slow]}
        return {"outcome": OUT_OF_TIME, "reason": slow}
    if code < 0:
        name = signal.Signals(-code).name
        return {"outcome": CRASHED, "reason": f"It crashes ({name}) {stage}."}
    return {"outcome": ENDED, "reason": f"It ends the program (code {code}) {stage}."}
