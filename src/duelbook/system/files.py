"""Files: Duelbook's folders, paths that users type, and atomic writes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from duelbook.errors import SaveError


def data_folder() -> Path:
    """Return the default folder of saved games and seats."""
    home = os.environ.get("DUELBOOK_HOME")
    if home:
        return Path(home)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "duelbook"


def cache_folder() -> Path:
    """Return the folder of cached results."""
    home = os.environ.get("DUELBOOK_HOME")
    if home:
        return Path(home) / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "duelbook"


def path(name: str) -> Path:
    """Return the path that a user typed, with `~` expanded."""
    if not name.isprintable():
        raise SaveError("A file name may not contain control characters.")
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise SaveError(f"There is no such home folder: {name}.") from error


def free(file: Path, *, ours: Path | None) -> Path:
    """Return the path of a new file; refuse an existing path, except `ours`."""
    if file != ours and os.path.lexists(file):
        raise SaveError(f"{file} already exists: choose another name.")
    return file


def write(
    file: Path, content: str | bytes | Iterable[bytes | memoryview], *, private: bool = False
) -> None:
    """Write a file atomically; only its owner can read a private file."""
    data = content.encode() if isinstance(content, str) else content
    parts = [data] if isinstance(data, bytes) else data
    draft = file.with_name(f".{file.name[:100]}.{os.getpid()}")
    try:
        file.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        try:
            with os.fdopen(number, "wb") as out:
                out.writelines(parts)
                out.flush()
                os.fsync(out.fileno())
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise SaveError(f"{file} could not be written: {error.strerror}.") from error
