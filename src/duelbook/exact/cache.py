"""A cache on disk: a result is valid only for the source that produced it, and if undamaged."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook import files
from duelbook.errors import SaveError
from duelbook.exact.sources import fingerprint
from duelbook.position import Position

Arrays = Mapping[str, NDArray[Any]]


def file_for(game: type[Position], what: str, maker: str) -> Path | None:
    """Return the cache file for a result of a game that the module `maker` computes.

    Its name changes with the source of the game and of the maker. Return None if the rules cannot
    be determined from source.
    """
    if "<locals>" in game.__qualname__:  # defined in a function, which may return different classes
        return None
    rules = [kind.__module__ for kind in game.__mro__ if kind is not object]
    source = fingerprint([*rules, *filter(None, [game.vectors]), maker])
    if source is None:
        return None
    digest = hashlib.sha256(f"{game.__module__} {game.__qualname__} {source}".encode())
    return files.cache_folder() / f"{game.slug}-{what}-{digest.hexdigest()[:32]}.npz"


def _of_any_rules(game: type[Position], what: str) -> list[Path]:
    """Return the cache files for a result, including those of older rules."""
    return list(files.cache_folder().glob(f"{game.slug}-{what}-*.npz"))


def read(game: type[Position], what: str, maker: str) -> Arrays | None:
    """Return a cached result, or None if it is missing or damaged."""
    if not _of_any_rules(game, what):  # saves the hash of the source
        return None
    file = file_for(game, what, maker)
    try:
        whole = file.read_bytes() if file else b""
    except OSError:
        return None
    seal, content = whole[:32], whole[32:]
    if hashlib.sha256(content).digest() != seal:
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


def write(game: type[Position], what: str, maker: str, arrays: Arrays) -> None:
    """Write a result atomically, and delete results of older rules.

    If the folder is not writable, the result is not cached.
    """
    file = file_for(game, what, maker)
    if file is None:
        return
    content = io.BytesIO()
    np.savez(content, **dict[str, Any](arrays))
    with suppress(SaveError, OSError):
        files.write(file, hashlib.sha256(content.getbuffer()).digest() + content.getvalue())
        for older in _of_any_rules(game, what):
            if older != file:
                older.unlink(missing_ok=True)
