"""A cache of results on disk.

A result is valid only for the source that produced it, and only if its file is undamaged. A result
is one file of arrays, which reading maps into memory. Writing is atomic. New files replace the
least recently used ones.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError, SaveError
from duelbook.position import Position
from duelbook.solver.source_fingerprint import fingerprint
from duelbook.solver.tables.array_rules import vectors_names
from duelbook.system import files

Arrays = Mapping[str, NDArray[Any]]
LIMIT_VARIABLE = "DUELBOOK_CACHE_MB"
"""The environment variable for the maximum size of all results together, in megabytes."""
DEFAULT_LIMIT_MB = 20_000
MIN_STORED_POSITIONS = 20_000
"""The minimum number of positions of a stored result; to compute a smaller one is as fast."""
SUFFIX = ".table"
_MAGIC = b"duelbook table 2"
_ALIGNED = 64
_LANES = 1024


class DamagedError(Exception):
    """The content of a file differs from the content that was written."""


@dataclass(frozen=True)
class StoredResult:
    """A result from the cache."""

    file: Path
    data: Any
    """The JSON value beside the arrays."""
    _content: NDArray[np.uint8]
    _index: Mapping[str, Any]

    def arrays(self, *names: str) -> dict[str, NDArray[Any]]:
        """Return the named arrays that exist, by default all; refuse damaged ones."""
        return {name: self._array(name) for name in names or self._index if name in self._index}

    def _array(self, name: str) -> NDArray[Any]:
        entry = self._index[name]
        raw = self._content[entry["at"] : entry["at"] + entry["size"]]
        if len(raw) != entry["size"] or _checksum(raw) != entry["checksum"]:
            raise DamagedError(f"{self.file} is damaged.")
        array: NDArray[Any] = raw.view(np.dtype(entry["dtype"])).reshape(entry["shape"])
        return array


@dataclass(frozen=True)
class CacheEntry:
    """A file of the cache."""

    file: Path
    size: int
    used: float
    """The time of the last use, in seconds since 1970."""

    @property
    def name(self) -> str:
        """The game and the result."""
        return self.file.stem.rpartition("-")[0]

    @property
    def slug(self) -> str:
        """The slug of the game."""
        return self.name.rpartition("-")[0]


# Reading and writing -------------------------------------------------------------------------


def read(game: type[Position], kind: str, maker: str) -> StoredResult | None:
    """Return a result of a game that the module `maker` computes, or None if there is none."""
    if not _files_of_any_rules(game, kind):  # avoids hashing the source
        return None
    file = file_for(game, kind, maker)
    if file is None:
        return None
    try:
        result = _open(file)
    except (OSError, DamagedError):
        return None
    with suppress(OSError):
        os.utime(file)
    return result


def write(game: type[Position], kind: str, maker: str, arrays: Arrays, data: object = None) -> bool:
    """Store a result, and delete results of older rules and the least recently used ones.

    Return whether the result is stored. It is not if it exceeds the limit, or if the disk is full.
    """
    file = file_for(game, kind, maker)
    room = limit()
    if file is None or sum(array.nbytes for array in arrays.values()) > room:
        return False
    stored = False
    with suppress(SaveError, OSError):
        files.write(file, _parts(arrays, data))
        stored = True
        for older in _files_of_any_rules(game, kind):
            if older != file:
                older.unlink(missing_ok=True)
        _make_room(room, file)
    return stored


def delete(game: type[Position], kind: str, maker: str) -> None:
    """Delete a result."""
    file = file_for(game, kind, maker)
    if file is not None:
        with suppress(OSError):
            file.unlink(missing_ok=True)


def file_for(game: type[Position], kind: str, maker: str) -> Path | None:
    """Return the file for a result of a game that the module `maker` computes.

    Its name changes with the source of the game and of the maker. Return None if the rules cannot
    be determined from source.
    """
    source = source_of(game, maker)
    if source is None:
        return None
    digest = hashlib.sha256(f"{game.__module__} {game.__qualname__} {source}".encode())
    return files.cache_folder() / f"{game.slug}-{kind}-{digest.hexdigest()[:32]}{SUFFIX}"


def source_of(game: type[Position], maker: str) -> str | None:
    """Return a hash of the source of a game and of a module of Duelbook, or None if unknown."""
    if "<locals>" in game.__qualname__:  # a function may define different classes
        return None
    rules = [kind.__module__ for kind in game.__mro__ if kind is not object]
    return fingerprint([*rules, *vectors_names(game), maker])


def _files_of_any_rules(game: type[Position], kind: str) -> list[Path]:
    """Return the files for a result, including those of older rules."""
    return list(files.cache_folder().glob(f"{game.slug}-{kind}-{'?' * 32}{SUFFIX}"))


# The whole cache -----------------------------------------------------------------------------


def limit() -> int:
    """Return the maximum number of bytes of all results together."""
    text = os.environ.get(LIMIT_VARIABLE, str(DEFAULT_LIMIT_MB))
    if not (text.isascii() and text.isdigit()):
        raise DuelbookError(f"{LIMIT_VARIABLE} must be a number of megabytes, not {text!r:.20}.")
    return int(text) * 1_000_000


def entries(slug: str | None = None) -> list[CacheEntry]:
    """Return the files of a game, or of all games, the most recently used first."""
    files_of_all = []
    for file in files.cache_folder().glob(f"*{SUFFIX}"):
        with suppress(OSError):
            state = file.stat()
            files_of_all.append(CacheEntry(file, state.st_size, state.st_mtime))
    chosen = (entry for entry in files_of_all if slug is None or entry.slug == slug)
    return sorted(chosen, key=lambda entry: entry.used, reverse=True)


def clear(slug: str | None = None) -> list[CacheEntry]:
    """Delete the files of a game, or of all games, and return their entries."""
    _delete_drafts()
    deleted = entries(slug)
    for entry in deleted:
        try:
            entry.file.unlink(missing_ok=True)
        except OSError as error:
            raise SaveError(f"{entry.file} could not be deleted: {error.strerror}.") from error
    return deleted


def _make_room(room: int, newest: Path) -> None:
    """Delete the least recently used files, until the rest fits."""
    _delete_drafts()
    for entry in entries():
        room -= entry.size
        if room < 0 and entry.file != newest:
            entry.file.unlink(missing_ok=True)


def _delete_drafts() -> None:
    """Delete the incomplete files of processes that were killed."""
    for draft in files.cache_folder().glob(f".*{SUFFIX}.*"):
        number = draft.name.rpartition(".")[2]
        if number.isdigit() and not _is_running(int(number)):
            draft.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # a process of another user
        return True
    return True


# The format ----------------------------------------------------------------------------------


def _parts(arrays: Arrays, data: object) -> Iterator[bytes | memoryview]:
    """Yield the content of a file: magic number, hash and length of the index, index, arrays."""
    index: dict[str, Any] = {}
    at = 0
    for name, array in arrays.items():
        raw = _bytes_of(array)
        index[name] = {
            "at": at,
            "size": len(raw),
            "dtype": array.dtype.str,
            "shape": array.shape,
            "checksum": _checksum(raw),
        }
        at += -(-len(raw) // _ALIGNED) * _ALIGNED
    head = json.dumps({"byteorder": sys.byteorder, "arrays": index, "data": data}).encode()
    head += b" " * (-len(head) % _ALIGNED)
    yield _MAGIC + hashlib.sha256(head).digest() + len(head).to_bytes(16, "little")
    yield head
    for array in arrays.values():
        raw = _bytes_of(array)
        yield raw.data
        yield bytes(-len(raw) % _ALIGNED)


def _open(file: Path) -> StoredResult:
    if not file.stat().st_size:
        raise DamagedError(f"{file} is empty.")
    content = np.asarray(np.memmap(file, np.uint8, mode="r"))
    start, length = content[:_ALIGNED].tobytes(), int.from_bytes(content[48:64].tobytes(), "little")
    head = content[_ALIGNED : _ALIGNED + length].tobytes()
    if start[:16] != _MAGIC or hashlib.sha256(head).digest() != start[16:48]:
        raise DamagedError(f"{file} is damaged.")
    header = json.loads(head)
    if header["byteorder"] != sys.byteorder:
        raise DamagedError(f"{file} was written on another kind of machine.")
    return StoredResult(file, header["data"], content[_ALIGNED + length :], header["arrays"])


def _bytes_of(array: NDArray[Any]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _checksum(raw: NDArray[np.uint8]) -> str:
    """Return a checksum as fast as memory allows: the hash of the sums of many lanes."""
    end = len(raw) - len(raw) % (8 * _LANES)
    lanes = raw[:end].view(np.uint64).reshape(-1, _LANES)
    sums = lanes.sum(axis=0, dtype=np.uint64)
    return hashlib.sha256(sums.tobytes() + raw[end:].tobytes()).hexdigest()
