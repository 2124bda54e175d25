"""Runs an audit: examines many files at a time, and reuses stored results."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event

from duelbook.audit.isolation import Source, examine
from duelbook.audit.records import CRASHED, Limits, Record
from duelbook.errors import DuelbookError

STATE = ".duelbook-audit.jsonl"
Finished = Iterator[tuple[Source, Record]]
Progress = Callable[[int, int], object]
"""Called with the number of files done, and the total."""


@dataclass(frozen=True)
class Row:
    """A file and its record."""

    file: str
    record: Record


class State:
    """Stored records, one per line of a file; incomplete lines are ignored."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.known: dict[str, Record] = {}
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a+", encoding="utf-8", errors="replace") as lines:
                lines.seek(0)
                text = lines.read()
                if text and not text.endswith("\n"):
                    lines.write("\n")
        except OSError as error:
            raise DuelbookError(
                f"{file} could not be written: {error.strerror}. Name another with --state."
            ) from error
        for line in text.splitlines():
            try:
                entry = json.loads(line)
                self.known[entry["key"]] = Record.of(entry["record"])
            except (ValueError, KeyError, TypeError, AttributeError):
                continue

    def add(self, key: str, record: Record) -> None:
        """Store a record."""
        self.known[key] = record
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"key": key, "record": asdict(record)}) + "\n")


def files_in(places: Iterable[Path]) -> list[Path]:
    """Return the Python files in folders, sorted by name; a place may also be a file."""
    found: dict[Path, None] = {}
    for place in places:
        if not place.exists():
            raise DuelbookError(f"There is no folder {place}.")
        found |= dict.fromkeys([place] if place.is_file() else sorted(place.glob("*.py")))
    return list(found)


def audit(
    files: list[Path],
    limits: Limits,
    *,
    state: Path | None = None,
    work: Callable[[list[Source], Limits], Finished],
    progress: Progress = lambda *_: None,
) -> list[Row]:
    """Examine the files without stored records; return a row for each file, in order."""
    places = {file: state or file.parent / STATE for file in files}
    states = {place: State(place) for place in dict.fromkeys(places.values())}
    sources = {file: Source.read(file) for file in files}
    wanted: dict[Source, list[State]] = {}
    for file, source in sources.items():
        if source.key(limits) not in states[places[file]].known:
            wanted.setdefault(source, []).append(states[places[file]])
    done = len(files) - len(wanted)
    progress(done, len(files))
    for source, record in work(list(wanted), limits):
        for kept in wanted[source]:
            kept.add(source.key(limits), record)
        done += 1
        progress(done, len(files))
    return [
        Row(str(file), states[places[file]].known[source.key(limits)])
        for file, source in sources.items()
    ]


def here(jobs: int) -> Callable[[list[Source], Limits], Finished]:
    """Return a function that examines files on this machine, `jobs` at a time."""

    def work(sources: list[Source], limits: Limits) -> Finished:
        stop = Event()
        with ThreadPoolExecutor(jobs) as pool:
            try:
                tasks = {pool.submit(examine, one, limits, stop): one for one in sources}
                for task in as_completed(tasks):
                    yield tasks[task], task.result()
            finally:  # also after an interrupt
                stop.set()
                pool.shutdown(cancel_futures=True)

    return work


def on_ray(address: str) -> Callable[[list[Source], Limits], Finished]:
    """Return a function that examines files on a Ray cluster, one processor each."""
    try:
        import ray
    except ImportError as error:
        raise DuelbookError(
            "This needs ray, which is not installed: pip install 'duelbook[cluster]'."
        ) from error

    def work(sources: list[Source], limits: Limits) -> Finished:
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise DuelbookError(f"No Ray cluster answers at {address}.") from error
        try:
            task = ray.remote(num_cpus=1)(examine)
            waiting = {task.remote(source, limits): source for source in sources}
            while waiting:
                (ready,), _ = ray.wait(list(waiting), num_returns=1)
                try:
                    record = ray.get(ready)
                except ray.exceptions.RayError as error:
                    record = Record(CRASHED, f"Ray failed: {type(error).__name__}.")
                yield waiting.pop(ready), record
        finally:
            ray.shutdown()

    return work
