"""Metrics of a game over all its positions: size, length, balance, useless moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.analysis.paths import longest_game, shortest_game
from duelbook.analysis.score_texts import is_about_values
from duelbook.analysis.verdict import verdict
from duelbook.position import CHANCE, count
from duelbook.research.policies import perfect
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution
from duelbook.solver.imperfect.tree_values import exploitability, uniform
from duelbook.solver.oracle import VALUE_TOLERANCE
from duelbook.solver.solution import Solution
from duelbook.solver.solve import AnySolution
from duelbook.solver.tables.position_table import Table

PART_POSITIONS = 1 << 14
ILLEGAL_SCORE = np.iinfo(np.int16).min
"""The score of an illegal move."""


def compute_metrics(table: Table, solution: AnySolution) -> dict[str, float | None]:
    """Return the metrics as numbers; the longest game is None if play can be endless."""
    non_terminal, decisions, choices, max_choices = 0, 0, 0, 0
    for part in _parts(table):
        choice = np.diff(table.rows[part.start : part.stop + 1])
        own_moves = choice[table.mover[part] != CHANCE]
        non_terminal += int(np.count_nonzero(choice))
        decisions += int(np.count_nonzero(own_moves))
        choices += int(own_moves.sum())
        max_choices = max(max_choices, int(own_moves.max(initial=0)))
    metrics = {
        "positions": len(table),
        "terminal_positions": len(table) - non_terminal,
        "moves": len(table.after),
        "mean_legal_moves": choices / decisions if decisions else 0.0,
        "max_legal_moves": max_choices,
        "shortest_game": shortest_game(table),
        "longest_game": longest_game(table),
    }
    if table.has_chance:
        metrics["chance_positions"] = non_terminal - decisions
    start = table.positions[0]
    if is_about_values(solution, start):
        metrics["value"] = solution.value_for(0, start)
        metrics["value_error"] = solution.value_error
    if isinstance(solution, EquilibriumSolution):
        metrics["histories"] = len(solution.tree)
        metrics["information_sets"] = len(solution.tree.choices)
        metrics["exploitability_of_random_play"] = exploitability(
            solution.tree, uniform(solution.tree)
        )
        return metrics
    return metrics | _balance(table, solution)


def _balance(table: Table, solution: Solution) -> dict[str, float]:
    """Return the shares of positions that the player to move wins, loses, or neither."""
    values = solution.scores if solution.mixed is None else solution.mixed
    won = lost = neither = 0
    for part in _parts(table):
        has_moves = np.diff(table.rows[part.start : part.stop + 1]) > 0
        decided = values[part][has_moves & (table.mover[part] != CHANCE)]
        won += int(np.count_nonzero(decided > VALUE_TOLERANCE))
        lost += int(np.count_nonzero(decided < -VALUE_TOLERANCE))
        neither += int(np.count_nonzero(np.abs(decided) <= VALUE_TOLERANCE))
    total = max(1, won + lost + neither)
    return {
        "won_by_mover": won / total,
        "lost_by_mover": lost / total,
        "won_by_neither": neither / total,
    }


def _parts(table: Table) -> Iterator[slice]:
    """Yield all positions in parts that fit into the processor's cache."""
    return (slice(begin, begin + PART_POSITIONS) for begin in range(0, len(table), PART_POSITIONS))


def describe_metrics(table: Table, solution: AnySolution) -> dict[str, str]:
    """Return the metrics as texts."""
    metrics = compute_metrics(table, solution)
    shortest, longest = metrics["shortest_game"], metrics["longest_game"]
    terminal, decisions = metrics["terminal_positions"], "positions with a player to move"
    texts = {
        "best play": verdict(solution, table.positions[0]),
        "positions": f"{metrics['positions']:,}, {terminal:,} of them terminal",
        "moves": f"{metrics['moves']:,}",
        "legal moves": f"{metrics['mean_legal_moves']:.2f} on average, "
        f"{metrics['max_legal_moves']} at most",
        "shortest game": "none" if shortest is None else count(shortest, "turn"),
        "longest game": "endless" if longest is None else count(longest, "turn"),
    }
    if table.has_chance:
        texts["chance"] = f"moves in {metrics['chance_positions']:,} of the positions"
    if isinstance(solution, EquilibriumSolution):
        texts["histories"] = solution.size
        random_play = metrics["exploitability_of_random_play"]
        texts["random play"] = f"exploitable by {random_play:.4f} a game"
    else:
        won, lost, neither = ("favours", "is bad for", "favours neither side")
        if not is_about_values(solution, table.positions[0]):
            won, lost, neither = "won by", "lost by", "won by neither side"
        texts[f"{won} the player to move"] = f"{metrics['won_by_mover']:.1%} of {decisions}"
        texts[f"{lost} the player to move"] = f"{metrics['lost_by_mover']:.1%} of {decisions}"
        texts[neither] = f"{metrics['won_by_neither']:.1%} of {decisions}"
    if secrecy.keeps_secrets(table.game) or isinstance(solution, EquilibriumSolution):
        texts["never best"] = _join(_never_best_with_secrets(table, solution))
    elif solution.mixed is not None:
        best = np.unique(
            table.actions[(perfect(table, solution) > 0) & ~table.chance_moves]
        ).tolist()
        never_best = [move for number, move in enumerate(table.game.ACTIONS) if number not in best]
        texts["never best"] = _join(never_best)
    else:
        never_best, dominated = _useless_moves(table, solution)
        texts["never best"], texts["dominated"] = _join(never_best), _join(dominated)
    return texts


def _join(moves: list[str]) -> str:
    return ", ".join(moves) or "no move"


def _never_best_with_secrets(table: Table, solution: AnySolution) -> list[str]:
    # Best play is the same in all positions of an information set.
    _, firsts = np.unique(table.infosets, return_index=True)
    positions = (table.positions[number] for number in firsts.tolist())
    best = {move for position in positions for move in solution.best_moves(position)}
    return [move for move in table.game.ACTIONS if move not in best]


def _useless_moves(table: Table, solution: Solution) -> tuple[list[str], list[str]]:
    """Return the moves that are never best, and the weakly dominated moves.

    The text of a dominated move also names a move that is never worse.
    """
    named = table.game.ACTIONS
    actions = range(len(named))
    never_best = set(actions)
    candidates = {(move, other) for move in actions for other in actions if move != other}
    better: set[tuple[int, int]] = set()
    for part in _parts(table):
        if not never_best and not candidates:  # true after a few positions in most large games
            break
        grid = _move_scores(table, solution, part)
        never_best -= set(np.flatnonzero((grid == solution.scores[part]).any(1)).tolist())
        legal = grid > ILLEGAL_SCORE
        candidates = {
            (move, other)
            for move, other in candidates
            if not (grid[other] < grid[move])[legal[move]].any()
        }
        better |= {
            (move, other)
            for move, other in candidates
            if (grid[other] > grid[move])[legal[move]].any()
        }
    dominators = dict(sorted(candidates & better, reverse=True))
    dominated = [f"{named[move]} (by {named[dominators[move]]})" for move in sorted(dominators)]
    return [named[move] for move in sorted(never_best)], dominated


def _move_scores(table: Table, solution: Solution, part: slice) -> NDArray[np.int16]:
    """Return the score of each action (rows) in some positions (columns) for its player."""
    rows = table.rows[part.start : part.stop + 1]
    edges = slice(rows[0], rows[-1])
    scores = solution.scores[table.after[edges]] * table.same_mover(part.start, part.stop)
    grid = np.full((len(table.game.ACTIONS), len(rows) - 1), ILLEGAL_SCORE, np.int16)
    source = np.repeat(np.arange(len(rows) - 1), np.diff(rows))
    grid[table.actions[edges], source] = scores - np.sign(scores)
    return grid
