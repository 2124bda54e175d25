"""Measure the length and difficulty of each built-in game, print them, and write them to a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import duelbook
from duelbook.analysis.game_effort import measure


def main(file: Path) -> None:
    """Measure all games, with their exact solutions, and write the file."""
    efforts = {}
    for game in duelbook.list_games():
        efforts[game.slug] = measure(game, duelbook.solve(game))._asdict()
        print(f"{game.title}: {efforts[game.slug]}", flush=True)  # noqa: T201 # a command-line tool
    file.write_text(json.dumps(efforts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
