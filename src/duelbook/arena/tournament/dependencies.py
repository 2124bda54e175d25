"""The dependencies of a tournament's results: versions, hashes of the rules and of the prompt."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from duelbook import __version__
from duelbook.arena.tournament.folder import LockData
from duelbook.catalog.registry import source_of
from duelbook.position import Position


def lock_data(games: list[type[Position]], prompt: Mapping[str, Any]) -> LockData:
    """Return the contents of `lock.json`; `prompt` identifies the tournament's prompt."""
    return {
        "duelbook": __version__,
        "python": platform.python_version(),
        "books": {game.slug: book_hash(game) for game in games},
        "prompt": dict(prompt),
    }


def book_hash(game: type[Position]) -> str:
    """Return a hash of a game's source and of its rules page."""
    modules = [kind.__module__ for kind in game.__mro__ if kind not in (object, Position)]
    files = [getattr(sys.modules.get(module), "__file__", None) for module in modules]
    sources = [Path(file).read_bytes() for file in files if file]
    if not sources and source_of(game):
        sources = [Path(source_of(game).partition(":")[0]).read_bytes()]
    digest = sha256(game.rules_page().encode())
    for source in sources:
        digest.update(source)
    return digest.hexdigest()[:24]
