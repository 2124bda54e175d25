"""Runs an audit: examines many files at a time, and reuses stored results."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event

from duelbook.audit.audit_record import FAILED, AuditLimits, AuditRecord
from duelbook.audit.sandbox.isolation import Source, examine
from duelbook.catalog.faults import error_text
from duelbook.errors import DuelbookError
from duelbook.system import cluster

Examined = Iterator[tuple[Source, AuditRecord]]
Progress = Callable[[int, int], object]
"""A callback that receives the number of examined files and the total."""


@dataclass(frozen=True)
class AuditRow:
    """A file and its record."""

    file: str
    record: AuditRecord


class StoredRecords:
    """Stored records, one per line of a file; lines that are incomplete or invalid are ignored."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.known: dict[str, AuditRecord] = {}
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a+", encoding="utf-8", errors="replace") as lines:
                lines.seek(0)
                text = lines.read()
                if text and not text.endswith("\n"):
                    lines.write("\n")
        except OSError as error:
            raise self._unwritable(error) from error
        for line in text.splitlines():
            try:
                entry = json.loads(line)
                self.known[str(entry["key"])] = AuditRecord.of(entry["record"])
            except (ValueError, KeyError, TypeError, RecursionError):
                continue

    def add(self, key: str, record: AuditRecord) -> None:
        """Store a record, unless it says nothing about the file."""
        self.known[key] = record
        if record.outcome == FAILED:
            return
        try:
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"key": key, "record": asdict(record)}) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> DuelbookError:
        return DuelbookError(
            f"{self.file} could not be written: {error.strerror}. Name another with --state."
        )


def files_in(places: Iterable[Path]) -> list[Path]:
    """Return the Python files in folders, sorted by name; a place may also be a file."""
    files: dict[Path, None] = {}
    for place in places:
        if not place.exists():
            raise DuelbookError(f"There is no folder {place}.")
        files |= dict.fromkeys([place] if place.is_file() else sorted(place.glob("*.py")))
    return list(files)


def state_file(folder: Path, cache: Path) -> Path:
    """Return the file for the results of a folder.

    It is outside the folder, because the folder's author could have written results there.
    """
    path = str(folder.resolve())
    name = re.sub(r"\W", "-", folder.resolve().name)[:40] or "root"
    return cache / f"{name}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}.jsonl"


def audit(
    files: list[Path],
    limits: AuditLimits,
    *,
    state: Callable[[Path], Path],
    work: Callable[[list[Source], AuditLimits], Examined],
    progress: Progress = lambda *_: None,
) -> list[AuditRow]:
    """Examine the files without stored records; return a row for each file, in order.

    `state` returns the file that stores the results of a folder.
    """
    places = {file: state(file.parent) for file in files}
    states = {place: StoredRecords(place) for place in dict.fromkeys(places.values())}
    sources = {file: Source.read(file) for file in files}
    pending: dict[Source, list[StoredRecords]] = {}
    for file, source in sources.items():
        if source.key(limits) not in states[places[file]].known:
            pending.setdefault(source, []).append(states[places[file]])
    done = len(files) - len(pending)
    progress(done, len(files))
    for source, record in work(list(pending), limits):
        for store in pending[source]:
            store.add(source.key(limits), record)
        done += 1
        progress(done, len(files))
    return [
        AuditRow(str(file), states[places[file]].known[source.key(limits)])
        for file, source in sources.items()
    ]


def examine_locally(jobs: int) -> Callable[[list[Source], AuditLimits], Examined]:
    """Return a function that examines files on this machine, `jobs` at a time."""

    def work(sources: list[Source], limits: AuditLimits) -> Examined:
        stop = Event()
        with ThreadPoolExecutor(jobs) as pool:
            try:
                tasks = {pool.submit(examine, source, limits, stop): source for source in sources}
                for task in as_completed(tasks):
                    yield tasks[task], _record(task)
            finally:  # also after an interrupt
                stop.set()
                pool.shutdown(cancel_futures=True)

    return work


def _record(task: Future[AuditRecord]) -> AuditRecord:
    try:
        return task.result()
    except Exception as error:  # an error in one file must not stop the others
        return AuditRecord(FAILED, f"The audit failed: {error_text(error)}.")


def examine_on_ray(address: str) -> Callable[[list[Source], AuditLimits], Examined]:
    """Return a function that examines files on a Ray cluster, one processor each."""
    cluster.library()

    def work(sources: list[Source], limits: AuditLimits) -> Examined:
        with cluster.connected(address) as ray:
            task = ray.remote(num_cpus=1)(examine)
            waiting = {task.remote(source, limits): source for source in sources}
            while waiting:
                (ready,), _ = ray.wait(list(waiting), num_returns=1)
                try:
                    record = ray.get(ready)
                except ray.exceptions.RayError as error:
                    record = AuditRecord(FAILED, f"Ray failed: {type(error).__name__}.")
                yield waiting.pop(ready), record

    return work
