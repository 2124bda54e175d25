"""Enumeration and solution: ours, a dictionary, OpenSpiel's value iteration and C, in one run.

The games are those of the books, and Connect Four on boards of several sizes, which show the growth
of time and memory. Each measurement runs in a separate process, which has its own peak memory.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from types import ModuleType

import duelbook
from duelbook import DRAW, Position
from duelbook.catalog.registry import load
from duelbook.secrecy import keeps_secrets
from duelbook.solver.resources import Resources, processors
from duelbook.solver.solution import Solution
from duelbook.solver.solve import read_solution, solve
from duelbook.solver.stored_tables import stored_table

BOARDS = ((4, 3), (4, 4), (4, 5), (5, 4))
OPTIONAL_BOARD = (4, 6)
"""The columns and rows of the largest Connect Four, with sixteen million positions."""
DICTIONARY = 4_000_000
OPENSPIEL = 10_000
"""The maximum number of positions for the other ways."""
SOURCE = Path(__file__).parent.parent / "examples" / "games" / "connect_four.py"
GALAXY = Path(__file__).with_name("galaxy.c")
Measured = dict[str, float]


# The compared ways ------------------------------------------------------------------------------


def by_dictionary(game: type[Position]) -> tuple[int, int]:
    """Enumerate and solve a game in a few lines of Python; return its size and its value."""
    start = game.start()
    after: dict[Position, list[Position]] = {}
    queue = [start]
    seen = {start}
    for position in queue:
        after[position] = [position.apply(move) for move in position.moves()]
        for reached in after[position]:
            if reached not in seen:
                seen.add(reached)
                queue.append(reached)
    value: dict[Position, int] = {}

    def value_of(position: Position) -> int:
        winner = position.winner()
        if winner is not None:
            return 0 if winner is DRAW else 1 if winner == position.to_move else -1
        return max(
            value[reached] if reached.to_move == position.to_move else -value[reached]
            for reached in after[position]
        )

    try:
        for position in reversed(queue):
            value[position] = value_of(position)
    except KeyError:  # a move leads to an earlier position
        value = dict.fromkeys(queue, 0)
        before: dict[Position, int] = {}
        while value != before:
            before = value.copy()
            value.update((position, value_of(position)) for position in reversed(queue))
    return len(value), value[start]


def by_openspiel(game: type[Position]) -> tuple[int, int]:
    """Solve a game with OpenSpiel's value iteration, through our adapter."""
    import pyspiel

    from duelbook.adapters.openspiel import register

    if find_spec("cvxpy") is None:  # only simultaneous games need it
        sys.modules["cvxpy"] = ModuleType("cvxpy")
        vars(sys.modules["cvxpy"])["ECOS"] = None
    solver = import_module("open_spiel.python.algorithms.value_iteration")
    spiel = pyspiel.load_game(register(game))
    values = solver.value_iteration(spiel, depth_limit=-1, threshold=0.01, cyclic_game=True)
    return len(values), round(values[repr(game.start())])


def by_us(game: type[Position], processes: int) -> tuple[int, int]:
    """Solve a game and store the solution."""
    solution = solve(game, resources=Resources(processes))
    assert isinstance(solution, Solution)  # noqa: S101 # the boards hide nothing
    return len(solution.positions), int(solution.value(game.start()))


def from_cache(game: type[Position]) -> tuple[int, int]:
    """Read a solution."""
    solution = read_solution(game)
    if solution is None:
        return 0, 0
    return len(solution.positions), int(solution.value(game.start()))


def table(game: type[Position]) -> tuple[int, int]:
    """Enumerate and store a table, or open it; return the number of positions and of moves."""
    positions = stored_table(game)
    return len(positions), len(positions.after)


WAYS = {
    "cold": lambda game: by_us(game, 1),
    "all cores": lambda game: by_us(game, processors()),
    "again": from_cache,
    "table": table,
    "dictionary": by_dictionary,
    "OpenSpiel": by_openspiel,
}


# Measuring --------------------------------------------------------------------------------------


def measure(way: str, name: str) -> Measured:
    """Return the seconds, processor seconds, megabytes, positions and value of one way."""
    game = load(name)
    begun, used = perf_counter(), process_time()
    size, value = WAYS[way](game)
    return {
        "seconds": perf_counter() - begun,
        "processor": process_time() - used,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "positions": size,
        "value": value,
        "secrets": keeps_secrets(game),
    }


def in_a_process(way: str, name: str, home: Path) -> Measured:
    """Measure in a new process with its own cache."""
    done = subprocess.run(
        [sys.executable, __file__, way, name],
        env={**os.environ, "DUELBOOK_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    measured: Measured = json.loads(done.stdout.splitlines()[-1])
    return measured


def board(width: int, height: int, folder: Path) -> str:
    """Write the file of Connect Four on a board of another size, and return its name."""
    file = folder / f"connect_{width}_{height}.py"
    source = SOURCE.read_text().replace(
        "width, height = 5, 4", f"width, height = {width}, {height}"
    )
    file.write_text(source)
    return str(file)


def compare(title: str, name: str, folder: Path) -> None:
    """Print the line of one game."""
    home = folder / f"home_{title.replace(' ', '_')}"
    cold = in_a_process("cold", name, home)
    again = in_a_process("again", name, home)
    stored_mb = sum(file.stat().st_size for file in (home / "cache").glob("*")) / 1e6
    shutil.rmtree(home, ignore_errors=True)
    cores = in_a_process("all cores", name, home)
    shutil.rmtree(home, ignore_errors=True)
    size = int(cold["positions"])
    line = (
        f"{title:<20}{size:>12,}{cold['seconds']:>8.2f}{cold['megabytes']:>7.0f}"
        f"{cold['processor'] / size * 1e6:>7.1f}{cores['seconds']:>8.2f}"
    )
    line += f"{again['seconds']:>8.3f}{stored_mb:>7.0f}" if again["positions"] else f"{'':>15}"
    line += beside("dictionary", DICTIONARY, cold, name, home)
    line += beside("OpenSpiel", OPENSPIEL, cold, name, home)
    print(line, flush=True)


def beside(way: str, most: int, cold: Measured, name: str, home: Path) -> str:
    """Return the time and memory of another way, and ours as multiples of them."""
    absent = way == "OpenSpiel" and find_spec("pyspiel") is None
    if absent or cold["positions"] > most or cold["secrets"]:
        return f"{'':>30}"
    other = in_a_process(way, name, home)
    assert (other["positions"], other["value"]) == (cold["positions"], cold["value"])  # noqa: S101 # both must have the same result
    return (
        f"{other['seconds']:>9.2f}{other['megabytes']:>7.0f}"
        f"{cold['processor'] / other['processor']:>7.2f}"
        f"{cold['megabytes'] / other['megabytes']:>7.2f}"
    )


def galaxy(folder: Path) -> None:
    """Print the time of Galaxy Conquest in C, and of its table here, created and opened again."""
    if shutil.which("gcc") is None:
        print("Galaxy Conquest in C: gcc is not installed.")
        return
    program, home = folder / "galaxy", folder / "home_galaxy"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, GALAXY], check=True)  # noqa: S607 # gcc from the user's PATH
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    positions, moves, value, seconds = done.stdout.split()
    computed, opened = (in_a_process("table", "galaxy-conquest", home) for _ in range(2))
    solved = in_a_process("cold", "galaxy-conquest", home)
    assert (int(positions), int(moves)) == (computed["positions"], computed["value"])  # noqa: S101 # the same game
    assert int(value) == solved["value"]  # noqa: S101 # as above
    print(
        f"Galaxy Conquest, {int(positions):,} positions and {int(moves):,} moves: table computed "
        f"and stored in {computed['seconds']:.2f} s, opened again in {opened['seconds']:.3f} s; "
        f"C enumerates and solves in {float(seconds):.2f} s"
    )


def main() -> None:
    """Print a line for each game; measure the largest only on request."""
    if len(sys.argv) == 3:
        print(json.dumps(measure(*sys.argv[1:])))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        other = f"{'s':>9}{'MiB':>7}{'CPU x':>7}{'MiB x':>7}"
        print(f"{'':<70}{'':>15}{'dictionary':>30}{'OpenSpiel':>30}")
        print(
            f"{'':<20}{'positions':>12}{'cold s':>8}{'MiB':>7}{'us/pos':>7}{'cores s':>8}"
            f"{'again s':>8}{'MB':>7}{other}{other}"
        )
        for game in duelbook.list_games():
            compare(game.title, game.slug, folder)
        for width, height in (*BOARDS, *[OPTIONAL_BOARD] * ("--largest" in sys.argv)):
            compare(f"Connect {width} x {height}", board(width, height, folder), folder)
        galaxy(folder)


if __name__ == "__main__":
    main()
