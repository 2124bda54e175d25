"""Play a tournament with a small language model on this machine (`make arena-demo`)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

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
    """Play the tournament, print its standings, verify it and write its report."""
    duelbook = str(Path(sys.executable).with_name("duelbook"))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with local_model.running_server() as player:
        tournament = FOLDER / "tournament.toml"
        tournament.write_text(TOURNAMENT.format(player=player), encoding="utf-8")
        folder = str(FOLDER / f"port-{urlsplit(player.partition('@')[2]).port}")
        for command in (
            ["run", str(tournament), "--folder", folder],
            ["standings", folder],
            ["verify", folder],
            ["report", folder],
        ):
            subprocess.run([duelbook, "arena", *command], check=True)  # noqa: S603 # our own program


if __name__ == "__main__":
    main()
