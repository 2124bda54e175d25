"""Results kept on disk: trusted only under the rules they were made from, and only undamaged."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from time import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook import files
from duelbook.errors import SaveError
from duelbook.position import Position

Arrays = Mapping[str, NDArray[Any]]
ENGINE = ("tables", "matrix_games", "oracle", "solver", "cache")
STARTED = time()


def file_for(game: type[Position], what: str) -> Path | None:
    """Return the file for a result of a game; its name changes whenever the rules or we do.

    None for a game without a source file, whose rules cannot be known.
    """
    rules = [kind.__module__ for kind in game.__mro__ if kind is not object]
    sources = [getattr(sys.modules.get(module), "__file__", None) for module in rules]
    if game.vectors:
        spec = find_spec(game.vectors)
        sources.append(spec.origin if spec else None)
    engine = [str(Path(__file__).with_name(f"{name}.py")) for name in ENGINE]
    if "<locals>" in game.__qualname__:  # made by a function, perhaps not always alike
        return None
    digest = hashlib.sha256(f"{game.__qualname__} {what} {np.__version__}".encode())
    for source in [*sources, *engine]:
        if source is None or not Path(source).is_file() or Path(source).stat().st_mtime > STARTED:
            return None  # what is on disk may not be what is running
        digest.update(Path(source).read_bytes())
    return files.cache_folder() / f"{game.slug}-{what}-{digest.hexdigest()[:32]}.npz"


def read(file: Path) -> Arrays | None:
    """Return the arrays in a file, or None if it is not there or not whole."""
    try:
        whole = file.read_bytes()
    except OSError:
        return None
    seal, content = whole[:32], whole[32:]
    if hashlib.sha256(content).digest() != seal:
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


def write(file: Path, arrays: Arrays) -> None:
    """Keep arrays in a file, whole or not at all, and drop what older rules left behind.

    A folder that cannot be written to costs time later, nothing else.
    """
    content = io.BytesIO()
    np.savez(content, **dict[str, Any](arrays))
    with suppress(SaveError, OSError):
        files.write(file, hashlib.sha256(content.getbuffer()).digest() + content.getvalue())
        stem = file.name.rpartition("-")[0]
        for older in file.parent.glob(f"{stem}-*.npz"):
            if older != file:
                older.unlink(missing_ok=True)
