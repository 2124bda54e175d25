"""Large tables: our solver beside a dictionary, and a C program, in one run, with memory.

Each measurement is a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from duelbook import DRAW, Position
from duelbook.catalog.registry import load
from duelbook.exact.kept_tables import kept_table
from duelbook.exact.means import Means, processors
from duelbook.exact.solver import read_solution, solve

BOARDS = ((4, 4), (4, 5), (5, 4))
LARGEST = (4, 6)
"""Columns and rows of Connect Four; the largest has about ten million positions."""
SOURCE = Path(__file__).parent.parent / "examples" / "games" / "connect_four.py"
GALAXY = Path(__file__).with_name("galaxy.c")


def by_dictionary(game: type[Position]) -> tuple[int, int]:
    """Enumerate and solve a game as one would in a few lines; return its size and its value."""
    start = game.start()
    after: dict[Position, list[Position]] = {}
    queue = [start]
    seen = {start}
    for position in queue:
        after[position] = [position.play(move) for move in position.moves()]
        for reached in after[position]:
            if reached not in seen:
                seen.add(reached)
                queue.append(reached)
    value: dict[Position, int] = {}
    for position in reversed(queue):  # no move leads back
        winner = position.winner()
        if winner is None:
            value[position] = max(
                value[one] if one.to_move == position.to_move else -value[one]
                for one in after[position]
            )
        else:
            value[position] = 0 if winner is DRAW else 1 if winner == position.to_move else -1
    return len(value), value[start]


def measure(way: str, name: str) -> dict[str, float]:
    """Return what one way takes: seconds, processor seconds, megabytes, positions, value."""
    game = load(name)
    begun, used = perf_counter(), process_time()
    if way == "dictionary":
        size, value = by_dictionary(game)
    elif way == "again":
        kept = read_solution(game)
        assert kept is not None, "the solution was not kept"  # noqa: S101 # nothing was measured
        size, value = len(kept.positions), int(kept.value(game.start()))
    else:
        processes = processors() if way == "all cores" else 1
        found = solve(game, means=Means(processes))
        size, value = len(found.positions), int(found.value(game.start()))
    return {
        "seconds": perf_counter() - begun,
        "processor": process_time() - used,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "positions": size,
        "value": value,
    }


def in_a_process(way: str, name: str, home: Path) -> dict[str, float]:
    """Measure in a new process with a cache of its own."""
    done = subprocess.run(
        [sys.executable, __file__, way, name],
        env={**os.environ, "DUELBOOK_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def board(width: int, height: int, folder: Path) -> str:
    """Write Connect Four on a board of another size, and return the file."""
    file = folder / f"connect_{width}_{height}.py"
    source = SOURCE.read_text().replace(
        "width, height = 5, 4", f"width, height = {width}, {height}"
    )
    file.write_text(source)
    return str(file)


def compare(width: int, height: int, folder: Path, *, dictionary: bool = True) -> None:
    """Print the line of one board."""
    name, home = board(width, height, folder), folder / f"home_{width}_{height}"
    cold = in_a_process("cold", name, home)
    again = in_a_process("again", name, home)
    kept = sum(file.stat().st_size for file in (home / "cache").glob("*")) / 1e6
    shutil.rmtree(home)
    cores = in_a_process("all cores", name, home)
    shutil.rmtree(home)
    size = int(cold["positions"])
    line = (
        f"{width} x {height}{size:>12,}{cold['seconds']:>9.2f}{cold['megabytes']:>8.0f}"
        f"{cold['megabytes'] * 2**20 / size:>9.0f}{cores['seconds']:>10.2f}"
        f"{again['seconds']:>8.3f}{kept:>9.1f}"
    )
    if dictionary:
        other = in_a_process("dictionary", name, home)
        assert (other["positions"], other["value"]) == (size, cold["value"])  # noqa: S101 # or else it is no comparison
        line += (
            f"{other['seconds']:>10.2f}{other['megabytes']:>8.0f}"
            f"{cold['processor'] / other['processor']:>8.2f}"
            f"{cold['megabytes'] / other['megabytes']:>8.2f}"
        )
    print(line, flush=True)


def galaxy(folder: Path) -> None:
    """Print what Galaxy Conquest takes here, from its cache, and in C."""
    if shutil.which("gcc") is None:
        print("Galaxy Conquest in C: gcc is not installed.")
        return
    program, game, home = folder / "galaxy", load("galaxy-conquest"), folder / "galaxy_home"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, GALAXY], check=True)  # noqa: S607 # as users have it
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    positions, moves, value, seconds = done.stdout.split()
    os.environ["DUELBOOK_HOME"] = str(home)
    begun = perf_counter()
    table = kept_table(game)
    made = perf_counter() - begun
    solution = solve(game)
    assert (int(positions), int(moves)) == (len(table), len(table.after))  # noqa: S101 # the same game
    assert int(value) == solution.value(game.start())  # noqa: S101 # as above
    begun = perf_counter()
    kept_table(game)
    reopened = perf_counter() - begun
    print(
        f"Galaxy Conquest, {len(table):,} positions and {len(table.after):,} moves: table made and "
        f"kept in {made:.2f} s, opened again in {reopened:.3f} s; C enumerates and solves in "
        f"{float(seconds):.2f} s"
    )


def main() -> None:
    """Print a line for each board; the largest only on request."""
    if len(sys.argv) == 3:
        print(json.dumps(measure(*sys.argv[1:])))
        return
    print(
        f"{'board':<5}{'positions':>12}{'cold s':>9}{'MiB':>8}{'B/pos':>9}{'all cores':>10}"
        f"{'again':>8}{'disk MB':>9}{'dict s':>10}{'MiB':>8}{'CPU x':>8}{'MiB x':>8}"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for width, height in BOARDS:
            compare(width, height, folder)
        if "--largest" in sys.argv:
            compare(*LARGEST, folder, dictionary=False)
        galaxy(folder)


if __name__ == "__main__":
    main()
