"""Command lines to show to people."""

from __future__ import annotations

import sys

from duelbook.catalog.registry import source_of
from duelbook.position import Position


def how_to(*words: object, game: type[Position] | None = None) -> str:
    """Return a `duelbook` command line that works here, even if it is not on the PATH.

    It names the file or class of a game that is not built in.
    """
    import shlex  # the first prompt does not wait for it

    source = source_of(game) if game else ""
    named = ["--game", source] if source else []
    return shlex.join([_program(), *map(str, words), *named])


def _program() -> str:
    from pathlib import Path  # slow to import
    from shutil import which

    called = Path(sys.argv[0])
    if called.name != "duelbook" or which("duelbook"):
        return "duelbook"
    return str(called.relative_to(Path.cwd()) if called.is_relative_to(Path.cwd()) else called)
