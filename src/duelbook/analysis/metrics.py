"""Measurements of a game, over all its positions: size, length, balance, useless moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.analysis.paths import longest_game, shortest_game
from duelbook.analysis.verdict import verdict
from duelbook.analysis.wording import is_about_values
from duelbook.position import CHANCE, count
from duelbook.research.policies import perfect
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution
from duelbook.solver.imperfect.tree_values import exploitability, uniform
from duelbook.solver.oracle import VALUE_TOLERANCE
from duelbook.solver.solution import Solution
from duelbook.solver.solve import AnySolution
from duelbook.solver.tables.position_table import Table

PART = 1 << 14
NOWHERE = np.iinfo(np.int16).min
"""The score of a move that is not legal."""


def numbers(table: Table, solution: AnySolution) -> dict[str, float | None]:
    """Return the measurements that are numbers; an endless game has None plies."""
    busy, decided, choices, most = 0, 0, 0, 0
    for here in _parts(table):
        choice = np.diff(table.rows[here.start : here.stop + 1])
        own = choice[table.mover[here] != CHANCE]
        busy += int(np.count_nonzero(choice))
        decided += int(np.count_nonzero(own))
        choices += int(own.sum())
        most = max(most, int(own.max(initial=0)))
    found = {
        "positions": len(table),
        "terminal_positions": len(table) - busy,
        "moves": len(table.after),
        "mean_choice": choices / decided if decided else 0.0,
        "most_choice": most,
        "shortest_game": shortest_game(table),
        "longest_game": longest_game(table),
    }
    if table.has_chance:
        found["chance_positions"] = busy - decided
    start = table.positions[0]
    if is_about_values(solution, start):
        found["value"] = solution.value_for(0, start)
        found["value_error"] = solution.value_error
    if isinstance(solution, EquilibriumSolution):
        found["histories"] = len(solution.tree)
        found["information_sets"] = len(solution.tree.choices)
        found["exploitability_of_random_play"] = exploitability(
            solution.tree, uniform(solution.tree)
        )
        return found
    return found | _balance(table, solution)


def _balance(table: Table, solution: Solution) -> dict[str, float]:
    """Return the shares of decisions that are won by the player to move, lost, and neither."""
    values = solution.scores if solution.mixed is None else solution.mixed
    won = lost = even = 0
    for here in _parts(table):
        busy = np.diff(table.rows[here.start : here.stop + 1]) > 0
        decided = values[here][busy & (table.mover[here] != CHANCE)]
        won += int(np.count_nonzero(decided > VALUE_TOLERANCE))
        lost += int(np.count_nonzero(decided < -VALUE_TOLERANCE))
        even += int(np.count_nonzero(np.abs(decided) <= VALUE_TOLERANCE))
    total = max(1, won + lost + even)
    return {
        "won_by_mover": won / total,
        "lost_by_mover": lost / total,
        "won_by_neither": even / total,
    }


def _parts(table: Table) -> Iterator[slice]:
    """Yield all positions in parts, which fit into a cache of the processor."""
    return (slice(begin, begin + PART) for begin in range(0, len(table), PART))


def measures(table: Table, solution: AnySolution) -> dict[str, str]:
    """Return what was measured, in words."""
    found = numbers(table, solution)
    shortest, longest = shortest_game(table), longest_game(table)
    terminal, non_terminal = found["terminal_positions"], "non-terminal positions"
    measured = {
        "best play": verdict(solution, table.positions[0]),
        "positions": f"{found['positions']:,}, {terminal:,} of them terminal",
        "moves": f"{found['moves']:,}",
        "legal moves": f"{found['mean_choice']:.2f} on average, {found['most_choice']} at most",
        "shortest game": "none" if shortest is None else count(shortest, "turn"),
        "longest game": "endless" if longest is None else count(longest, "turn"),
    }
    if table.has_chance:
        measured["chance"] = f"moves in {found['chance_positions']:,} of the positions"
    if isinstance(solution, EquilibriumSolution):
        measured["histories"] = solution.size
        random_play = found["exploitability_of_random_play"]
        measured["random play"] = f"exploitable by {random_play:.4f} a game"
    else:
        won, lost, even = ("favours", "is bad for", "favours neither side")
        if not is_about_values(solution, table.positions[0]):
            won, lost, even = "won by", "lost by", "won by neither side"
        measured[f"{won} the player to move"] = f"{found['won_by_mover']:.1%} of {non_terminal}"
        measured[f"{lost} the player to move"] = f"{found['lost_by_mover']:.1%} of {non_terminal}"
        measured[even] = f"{found['won_by_neither']:.1%} of {non_terminal}"
    if secrecy.keeps_secrets(table.game) or isinstance(solution, EquilibriumSolution):
        measured["never best"] = _listed(_never_best_in_secret(table, solution))
    elif solution.mixed is not None:
        best = np.unique(
            table.actions[(perfect(table, solution) > 0) & ~table.chance_moves]
        ).tolist()
        never = [move for number, move in enumerate(table.game.ACTIONS) if number not in best]
        measured["never best"] = _listed(never)
    else:
        never, dominated = _useless(table, solution)
        measured["never best"], measured["dominated"] = _listed(never), _listed(dominated)
    return measured


def _listed(moves: list[str]) -> str:
    return ", ".join(moves) or "no move"


def _never_best_in_secret(table: Table, solution: AnySolution) -> list[str]:
    # Best play is the same in all positions of an information set.
    _, firsts = np.unique(table.infosets, return_index=True)
    positions = (table.positions[number] for number in firsts.tolist())
    best = {move for position in positions for move in solution.best_moves(position)}
    return [move for move in table.game.ACTIONS if move not in best]


def _useless(table: Table, solution: Solution) -> tuple[list[str], list[str]]:
    """Return the moves that are never best, and the weakly dominated ones.

    Each of the latter is named with a move that is never worse.
    """
    named = table.game.ACTIONS
    actions = range(len(named))
    never = set(actions)
    candidates = {(one, other) for one in actions for other in actions if one != other}
    better: set[tuple[int, int]] = set()
    for here in _parts(table):
        if not never and not candidates:  # as in most large games, after a few positions
            break
        grid = _worths(table, solution, here)
        never -= set(np.flatnonzero((grid == solution.scores[here]).any(1)).tolist())
        legal = grid > NOWHERE
        candidates = {
            (one, other)
            for one, other in candidates
            if not (grid[other] < grid[one])[legal[one]].any()
        }
        better |= {
            (one, other) for one, other in candidates if (grid[other] > grid[one])[legal[one]].any()
        }
    found = dict(sorted(candidates & better, reverse=True))
    dominated = [f"{named[one]} (by {named[found[one]]})" for one in sorted(found)]
    return [named[one] for one in sorted(never)], dominated


def _worths(table: Table, solution: Solution, here: slice) -> NDArray[np.int16]:
    """Return the score of each action (rows) in some positions (columns) for its player."""
    rows = table.rows[here.start : here.stop + 1]
    edges = slice(rows[0], rows[-1])
    worth = solution.scores[table.after[edges]] * table.same_mover(here.start, here.stop)
    grid = np.full((len(table.game.ACTIONS), len(rows) - 1), NOWHERE, np.int16)
    source = np.repeat(np.arange(len(rows) - 1), np.diff(rows))
    grid[table.actions[edges], source] = worth - np.sign(worth)
    return grid
