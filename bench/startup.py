"""Time from `duelbook play` to its first prompt, as a multiple of a bare Python start.

Both are measured alternately in one run, so that the ratio is comparable between machines.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROUNDS = 30
# As installed: the first round writes the bytecode files that later rounds read.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
BIN = Path(sys.executable).parent
PEERS = {
    "python3 -c pass": ([sys.executable, "-c", "pass"], None),
    "import click": ([sys.executable, "-c", "import click"], None),
    "import duelbook": ([sys.executable, "-c", "import duelbook"], None),
    "first prompt": ([str(BIN / "duelbook"), "play", "tower-defense-duel"], b"Enter your move: "),
}


def seconds(command: list[str], until: bytes | None) -> float:
    """Return the time until a program ends, or until it prints the given bytes."""
    start = perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as program:
        assert program.stdin  # noqa: S101 # for the type checker: both ends are pipes
        assert program.stdout  # noqa: S101 # as above
        printed = b""
        while until and until not in printed:
            piece = os.read(program.stdout.fileno(), 65536)
            if not piece:
                raise SystemExit(f"{command} ended without printing {until!r}")
            printed += piece
        taken = perf_counter() - start
        if until:
            program.kill()
            return taken
    return perf_counter() - start


def main() -> None:
    """Measure all commands alternately, and print medians and ratios."""
    times: dict[str, list[float]] = {name: [] for name in PEERS}
    for _ in range(ROUNDS):
        for name, (command, until) in PEERS.items():
            times[name].append(seconds(command, until))
    base = statistics.median(times["python3 -c pass"])
    print(f"{'start-up, median of ' + str(ROUNDS):<28}{'ms':>8}{'x bare':>8}")
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:<28}{median * 1000:>8.1f}{median / base:>8.2f}")


if __name__ == "__main__":
    main()
