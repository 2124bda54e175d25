"""Measurements of a game, over all its positions: size, length, balance, useless moves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.exact.hands import HandSolution
from duelbook.exact.oracle import NEARLY
from duelbook.exact.solutions import AnySolution
from duelbook.exact.solver import Solution
from duelbook.exact.tables import Table
from duelbook.exact.tree_values import exploitability, uniform
from duelbook.exact.vectors import CHUNK
from duelbook.position import LUCK, count
from duelbook.research.policies import perfect
from duelbook.study.paths import longest_game, shortest_game
from duelbook.study.verdict import verdict
from duelbook.study.wording import is_about_values


def numbers(table: Table, solution: AnySolution) -> dict[str, float | None]:
    """Return the measurements that are numbers; an endless game has None plies."""
    choice = np.diff(table.rows)
    busy = choice > 0
    decides = busy & (table.mover != LUCK)
    found = {
        "positions": len(table),
        "terminal_positions": int((~busy).sum()),
        "moves": len(table.after),
        "mean_choice": float(choice[decides].mean()) if decides.any() else 0.0,
        "most_choice": int(choice[decides].max(initial=0)),
        "shortest_game": shortest_game(table),
        "longest_game": longest_game(table),
    }
    if table.is_lucky:
        found["luck_positions"] = int((busy & (table.mover == LUCK)).sum())
    start = table.positions[0]
    if is_about_values(solution, start):
        found["value"] = solution.value_for(0, start)
        found["value_error"] = solution.value_error
    if isinstance(solution, HandSolution):
        found["histories"] = len(solution.tree)
        found["information_sets"] = len(solution.tree.choices)
        found["exploitability_of_random_play"] = exploitability(
            solution.tree, uniform(solution.tree)
        )
        return found
    values = solution.values[decides]
    return found | {
        "won_by_mover": float((values > NEARLY).mean()),
        "lost_by_mover": float((values < -NEARLY).mean()),
        "won_by_neither": float((np.abs(values) <= NEARLY).mean()),
    }


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
    if table.is_lucky:
        measured["luck"] = f"moves in {found['luck_positions']:,} of the positions"
    if isinstance(solution, HandSolution):
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
    if secrecy.keeps_secrets(table.game) or isinstance(solution, HandSolution):
        measured["never best"] = _listed(_never_best_in_secret(table, solution))
    elif solution.mixed is not None:
        best = np.unique(table.actions[(perfect(table, solution) > 0) & ~table.luck_moves]).tolist()
        never = [move for number, move in enumerate(table.game.ACTIONS) if number not in best]
        measured["never best"] = _listed(never)
    else:
        worth = _worths(table, solution)
        measured["never best"] = _listed(_never_best(table, solution, worth))
        measured["dominated"] = _listed(_dominated(table, worth))
    return measured


def _listed(moves: list[str]) -> str:
    return ", ".join(moves) or "no move"


def _never_best_in_secret(table: Table, solution: AnySolution) -> list[str]:
    best = {move for position in table.positions for move in solution.best_moves(position)}
    return [move for move in table.game.ACTIONS if move not in best]


def _worths(table: Table, solution: Solution) -> NDArray[np.int16]:
    """Return the score of every move in the table for the player who makes it."""
    worth: NDArray[np.int16] = table.to_movers(solution.scores)
    return worth - np.sign(worth)


def _never_best(table: Table, solution: Solution, worth: NDArray[np.int16]) -> list[str]:
    score = np.repeat(solution.scores, np.diff(table.rows))
    used = set(np.unique(table.actions[worth == score]).tolist())
    return [move for number, move in enumerate(table.game.ACTIONS) if number not in used]


def _dominated(table: Table, worth: NDArray[np.int16]) -> list[str]:
    """Return the weakly dominated moves, each with a move that is never worse."""
    actions = range(len(table.game.ACTIONS))
    candidates = {(one, other) for one in actions for other in actions if one != other}
    better: set[tuple[int, int]] = set()
    nowhere = np.iinfo(np.int16).min
    for begin in range(0, len(table), CHUNK):
        rows = table.rows[begin : begin + CHUNK + 1]
        grid = np.full((len(actions), len(rows) - 1), nowhere, np.int16)
        source = np.repeat(np.arange(len(rows) - 1), np.diff(rows))
        edges = slice(rows[0], rows[-1])
        grid[table.actions[edges], source] = worth[edges]
        legal = grid > nowhere
        candidates = {
            (one, other)
            for one, other in candidates
            if not (grid[other] < grid[one])[legal[one]].any()
        }
        better |= {
            (one, other) for one, other in candidates if (grid[other] > grid[one])[legal[one]].any()
        }
    named = table.game.ACTIONS
    found = dict(sorted(candidates & better, reverse=True))
    return [f"{named[one]} (by {named[found[one]]})" for one in sorted(found)]
