"""Play a tournament with a real language model on this machine, without a network.

The command is `make arena-demo`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import local_model

FOLDER = Path(__file__).parent.parent / "build" / "arena-demo"
TOURNAMENT = """games = ["capture-and-conquer"]
anchors = ["random", "perfect"]
pairings = "gauntlet"
players = [{{ player = "{player}", label = "smollm2", max_tokens = 100 }}]
prompt = {{ answers = "schema" }}
limits = {{ plies = 40 }}
concurrency = 1
"""


def main() -> None:
    """Play the tournament, and show its tables."""
    duelbook = str(Path(sys.executable).with_name("duelbook"))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with local_model.started() as player:
        tournament = FOLDER / "tournament.toml"
        tournament.write_text(TOURNAMENT.format(player=player), encoding="utf-8")
        where = FOLDER / f"port-{player.rpartition(':')[2].partition('/')[0]}"
        for command in (
            ["run", str(tournament), "--folder", str(where)],
            ["table", str(where)],
            ["verify", str(where)],
            ["report", str(where)],
        ):
            subprocess.run([duelbook, "arena", *command], check=True)  # noqa: S603 # our own program


if __name__ == "__main__":
    main()
