"""The checks that a rules page can name for its claims, each over all positions of a game.

A check takes the table, the solution and the words after its name. It returns whether the claim
holds, the reason, and a game that demonstrates the result, if there is one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from duelbook.analysis.paths import longest_game, moves_to, shortest_cycle
from duelbook.analysis.score_texts import expected_value, is_about_values, seat_of
from duelbook.position import Position, count, player
from duelbook.solver.solve import AnySolution
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.endless_play import can_be_endless

CheckResult = tuple[bool, str, list[str] | None]


def _always_a_move(table: Table, _: AnySolution) -> CheckResult:
    if stuck := table.dead_ends:
        return False, "a player can be left without a move", moves_to(table, stuck[0])
    or_else = "a result" if table.draws else "a winner"
    return True, f"each of {len(table):,} positions has a move or {or_else}", None


def _terminal(number: int) -> str:
    return f"{number:,} terminal position{'s' * (number != 1)}"


def _no_draws(table: Table, _: AnySolution) -> CheckResult:
    ruled = np.flatnonzero(table.ruled)
    if len(ruled):
        end = table.positions[int(ruled[0])]
        reason = f"the book names no winner in {_terminal(len(ruled))}; {end.ruling()} decides"
        return False, reason, moves_to(table, int(ruled[0]))
    if draws := table.draws:
        return False, f"nobody wins in {_terminal(len(draws))}", moves_to(table, draws[0])
    ends = int((table.winner != ONGOING).sum())
    return True, f"the book's own rules name a winner in all {_terminal(ends)}", None


def _ends(table: Table, _: AnySolution) -> CheckResult:
    if table.has_chance and longest_game(table) is None:
        return _ends_almost_surely(table)
    cycle = shortest_cycle(table)
    if cycle is None:
        return True, f"no game lasts longer than {count(longest_game(table), 'turn')}", None
    to_cycle, around = cycle
    reached = f"position after turn {len(to_cycle)}" if to_cycle else "starting position"
    return False, f"the {reached} comes back {count(len(around), 'turn')} later", to_cycle + around


def _ends_almost_surely(table: Table) -> CheckResult:
    """Return whether a game that chance may prolong ends with probability 1 under any play."""
    cycle = shortest_cycle(table, can_be_endless(table))
    if cycle is None:
        return True, "the game ends with probability 1 under any play", None
    return (
        False,
        "the players can continue without end under any chance outcomes",
        [*cycle[0], *cycle[1]],
    )


def _balanced(table: Table, solution: AnySolution, margin: str = "0") -> CheckResult:
    start = table.positions[0]
    seat = seat_of(start)
    value = solution.value_for(seat, start)
    if is_about_values(solution, start) or float(margin):
        holds = abs(value) <= float(margin) + solution.value_error
        return holds, f"the game {expected_value(value)} to {player(seat)}", None
    if not value:
        return True, "neither player can force a win from the start", None
    distance = solution.distance(start)
    winner = player(start.to_move if value > 0 else 1 - start.to_move)
    if distance is None:
        return False, f"the game favours {winner}", None
    reason = f"{winner} wins by force in {count(distance, 'turn')}"
    return False, reason, _best_game(solution, start)


def _best_game(solution: AnySolution, position: Position) -> list[str]:
    moves = []
    while position.moves():
        moves.append(solution.best_moves(position)[0])
        position = position.apply(moves[-1])
    return moves


def _values(table: Table, name: str) -> NDArray[np.int64]:
    """Return the value of a field in each position; for a tuple, its largest item."""
    values = [getattr(position, name) for position in table.positions]
    return np.array([max(v) if isinstance(v, tuple) else v for v in values], np.int64)


def _reaches(table: Table, _: AnySolution, name: str, number: str) -> CheckResult:
    values = _values(table, name)
    over = np.flatnonzero(values >= int(number))
    if len(over):
        at = int(over[0])
        return True, f"{name} can reach {values[at]}", moves_to(table, at)
    return False, f"the largest value of {name} in any position is {values.max()}", None


def _at_most(table: Table, _: AnySolution, name: str, number: str) -> CheckResult:
    values = _values(table, name)
    over = np.flatnonzero(values > int(number))
    if len(over):
        return False, f"{name} can reach {values[over[0]]}", moves_to(table, int(over[0]))
    return True, f"the largest value of {name} in any position is {values.max()}", None


CHECKS: dict[str, Callable[..., CheckResult]] = {
    "always-a-move": _always_a_move,
    "no-draws": _no_draws,
    "ends": _ends,
    "balanced": _balanced,
    "reaches": _reaches,
    "at-most": _at_most,
}
