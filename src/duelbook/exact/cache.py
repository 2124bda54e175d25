"""Results kept on disk: trusted only under the rules they were made from, and only undamaged."""

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
    """Return the file for a result of a game, which is made by a module of ours.

    Its name changes whenever the source behind the game or behind the maker does. There is none
    for a game whose rules cannot be known from source.
    """
    if "<locals>" in game.__qualname__:  # made by a function, perhaps not always alike
        return None
    rules = [kind.__module__ for kind in game.__mro__ if kind is not object]
    source = fingerprint([*rules, *filter(None, [game.vectors]), maker])
    if source is None:
        return None
    digest = hashlib.sha256(f"{game.__module__} {game.__qualname__} {source}".encode())
    return files.cache_folder() / f"{game.slug}-{what}-{digest.hexdigest()[:32]}.npz"


def _of_any_rules(game: type[Position], what: str) -> list[Path]:
    """Return the files for a result, also those that older rules left behind."""
    return list(files.cache_folder().glob(f"{game.slug}-{what}-*.npz"))


def read(game: type[Position], what: str, maker: str) -> Arrays | None:
    """Return a result, or None if it is not there or not whole."""
    if not _of_any_rules(game, what):  # then nobody need look at source
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
    """Keep a result, whole or not at all, and drop what older rules left behind.

    A folder that cannot be written to costs time later, nothing else.
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
