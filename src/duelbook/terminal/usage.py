"""Telling people what to type next."""

from __future__ import annotations

import shlex
import sys

from duelbook.catalog.registry import source_of
from duelbook.position import Position


def how_to(*words: object, game: type[Position] | None = None) -> str:
    """Return a command line of ours as it works here, also where `duelbook` is not on the PATH.

    A game that is not found by its slug is named as well.
    """
    source = source_of(game) if game else ""
    named = ["--game", source] if source else []
    return shlex.join([_program(), *map(str, words), *named])


def _program() -> str:
    from pathlib import Path
    from shutil import which

    called = Path(sys.argv[0])
    if called.name != "duelbook" or which("duelbook"):
        return "duelbook"
    return str(called.relative_to(Path.cwd()) if called.is_relative_to(Path.cwd()) else called)
