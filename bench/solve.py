"""The time to enumerate and solve each game, compared with plain Python in one run.

If OpenSpiel is installed, its value iteration solves the same games through our adapter, and the
values are compared.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from types import ModuleType

import duelbook
from duelbook import Position
from duelbook.exact.enumeration import enumerate_game
from duelbook.exact.oracle import TOP
from duelbook.exact.solver import solve_table
from duelbook.exact.tables import Table
from duelbook.secrecy import keeps_secrets

OPENSPIEL = 10_000  # the most positions for OpenSpiel
PLAIN = 200_000  # the most positions in plain Python; times of larger games are extrapolated


def plain_enumeration(game: type[Position], most: int) -> dict[Position, list[Position]]:
    """Enumerate with the rules, a dictionary and a list."""
    after: dict[Position, list[Position]] = {}
    todo = [game()]
    while todo and len(after) < most:
        position = todo.pop(0) if len(todo) < 1000 else todo.pop()
        if position not in after:
            after[position] = [position.play(move) for move in position.moves()]
            todo += after[position]
    return after


def plain_solution(after: dict[Position, list[Position]]) -> dict[Position, int]:
    """Score every position, one ply further each sweep, until nothing changes."""
    score = {p: 0 if (w := p.winner()) is None else TOP if w == p.to_move else -TOP for p in after}
    changed = True
    while changed:
        changed = False
        for position, reached in after.items():
            if reached:
                worths = [
                    score.get(p, 0) * (1 if p.to_move == position.to_move else -1) for p in reached
                ]
                best = max(worths)
                best -= (best > 0) - (best < 0)
                if best != score[position]:
                    score[position], changed = best, True
    return score


def measure(game: type[Position]) -> str:
    """Return the line of times and ratios for one game."""
    start = perf_counter()
    table = enumerate_game(game)
    enumerated = perf_counter() - start
    start = perf_counter()
    solve_table(table)
    solved = perf_counter() - start
    start = perf_counter()
    after = plain_enumeration(game, PLAIN)
    plain = perf_counter() - start
    note = ""
    if len(after) < len(table):
        plain *= len(table) / len(after)
        note = f" (from {len(after):,} positions)"
    elif not keeps_secrets(game):
        start = perf_counter()
        plain_solution(after)
        plain += perf_counter() - start
    ours = enumerated + solved
    return (
        f"{game.slug:<22}{len(table):>11,}{enumerated:>9.3f}{solved:>9.3f}"
        f"{plain:>10.3f}{plain / ours:>8.1f}{openspiel(game, table, ours)}{note}"
    )


def openspiel(game: type[Position], table: Table, ours: float) -> str:
    """Return OpenSpiel's time and the number of differing values, if it can run."""
    if keeps_secrets(game) or len(table) > OPENSPIEL or find_spec("pyspiel") is None:
        return ""
    import pyspiel

    from duelbook.adapters.openspiel import register

    solver, spiel = value_iteration(), pyspiel.load_game(register(game))
    start = perf_counter()
    theirs = solver.value_iteration(spiel, depth_limit=-1, threshold=0.01, cyclic_game=True)
    taken = perf_counter() - start
    solution = solve_table(table)
    differ = sum(
        abs(theirs[str(position)] - solution.value(position) * (1 - 2 * position.to_move)) > 1e-6
        for position in table.positions.known
    )
    return f"{taken:>12.3f}{taken / ours:>8.1f}{differ:>8}"


@cache
def value_iteration() -> ModuleType:
    """Return OpenSpiel's value iteration, without cvxpy, which only simultaneous games need."""
    if find_spec("cvxpy") is None:
        sys.modules["cvxpy"] = ModuleType("cvxpy")
        vars(sys.modules["cvxpy"])["ECOS"] = None
    return import_module("open_spiel.python.algorithms.value_iteration")


def main() -> None:
    """Print one line per game."""
    heads = f"{'':<22}{'positions':>11}{'table s':>9}{'solve s':>9}{'plain s':>10}{'ratio':>8}"
    if find_spec("pyspiel") is not None:
        heads += f"{'OpenSpiel s':>12}{'ratio':>8}{'differ':>8}"
    print(heads)
    for game in duelbook.games():
        print(measure(game))


if __name__ == "__main__":
    main()
