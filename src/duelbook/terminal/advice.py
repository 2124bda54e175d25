"""Telling people what to type next."""

from __future__ import annotations

import shlex
import sys


def how_to(*words: object) -> str:
    """Return a command line of ours as it works here, also where `duelbook` is not on the PATH."""
    return shlex.join([_program(), *map(str, words)])


def _program() -> str:
    from pathlib import Path
    from shutil import which

    called = Path(sys.argv[0])
    if called.name != "duelbook" or which("duelbook"):
        return "duelbook"
    return str(called.relative_to(Path.cwd()) if called.is_relative_to(Path.cwd()) else called)
