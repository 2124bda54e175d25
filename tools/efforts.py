"""Measure how long each built-in game takes and how hard it is, print it, and write it down."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import duelbook
from duelbook.analysis.game_effort import measure


def main(file: Path) -> None:
    """Measure all games with their exact solutions."""
    found = {}
    for game in duelbook.list_games():
        found[game.slug] = measure(game, duelbook.solve(game))._asdict()
        print(f"{game.title}: {found[game.slug]}", flush=True)  # noqa: T201 # what it is for
    file.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
