"""Scoring: compute the score of each position from the scores after its moves.

`Oracle` defines the scores: which seat can force a win, and in how many plies. During the
computation, all scores belong to seat 0.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError
from duelbook.position import CHANCE
from duelbook.solver.oracle import TOP
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.backward_induction import (
    BackupRunner,
    TableSlice,
    back_up,
    backward_induction,
    run_locally,
    slices,
)

Scores = NDArray[np.int16]
Values = NDArray[np.float64]
TOO_LONG = f"{{}} has games of more than {TOP:,} plies, which scores cannot count."


class Correction(Protocol):
    """Corrects the scores of positions in information sets with several positions."""

    def score(self, score: Scores, seen: Scores) -> None:
        """Correct the scores for the players to move, given the scores of their moves."""


def back_up_scores(part: TableSlice, score: Scores) -> Scores:
    """Return the scores of positions: the best score after a move.

    At a chance node, a win or a loss counts only if every outcome leads to it. The slowest outcome
    then determines the score.
    """
    mover, seen = part.mover, score[part.after]
    if (mover == mover[0]).all() and mover[0] != CHANCE:
        best = (np.maximum if mover[0] == 0 else np.minimum).reduceat(seen, part.starts)
        return one_ply_later(best)
    highest, lowest = (f.reduceat(seen, part.starts) for f in (np.maximum, np.minimum))
    certain = np.where(lowest > 0, lowest, np.where(highest < 0, highest, np.int16(0)))
    best = np.where(mover == 0, highest, np.where(mover == 1, lowest, certain))
    return one_ply_later(best)


def back_up_values(part: TableSlice, values: Values) -> Values:
    """Return the values of positions: the best value, or at a chance node the mean."""
    later = values[part.after]
    highest, lowest = (f.reduceat(later, part.starts) for f in (np.maximum, np.minimum))
    best: Values = np.where(part.mover == 0, highest, lowest)
    if part.chances is not None:
        means = np.add.reduceat(later * part.chances, part.starts)
        best = np.where(part.mover == CHANCE, means, best)
    return best


def one_ply_later(score: Scores) -> Scores:
    """Move wins and losses one ply farther away."""
    return score - np.sign(score)


def score_table(
    table: Table, run: BackupRunner = run_locally, correction: Correction | None = None
) -> Scores:
    """Return the score of each position for the player to move."""
    if table.steps_forward and correction is None:
        if len(table.layers) > TOP:
            raise DuelbookError(TOO_LONG.format(table.game.title))
        score = _ends(table)
        backward_induction(table, score, back_up_scores, run)
    else:
        score = _sweep(table, run, correction)
    return _turned(table, score)


def _sweep(table: Table, run: BackupRunner, correction: Correction | None) -> Scores:
    """Score any game: each sweep looks one ply further, until a sweep changes nothing.

    After n sweeps, a position has a score if and only if a side can force a win within n plies. In
    the positions without a score at the end, neither side can force a win.
    """
    score = _ends(table)
    for _ in range(TOP - 1):
        best = score.copy()
        back_up(table, slices(0, len(table)), back_up_scores, run, score, into=best)
        if correction is not None:
            seen = table.to_movers(_turned(table, score.copy()))
            correction.score(_turned(table, best), seen)
            _turned(table, best)
        if np.array_equal(best, score):
            return score
        score = best
    raise DuelbookError(TOO_LONG.format(table.game.title))


def _ends(table: Table) -> Scores:
    """Return the scores of terminal positions for seat 0, and 0 for all others."""
    score = np.zeros(len(table), np.int16)
    for part in slices(0, len(table)):
        winner = table.winner[part]
        score[part][winner == 0] = TOP
        score[part][winner == 1] = -TOP
    return score


def _turned(table: Table, score: Scores) -> Scores:
    """Turn scores for seat 0 into scores for the player to move, or back, in place."""
    for part in slices(0, len(table)):
        np.negative(score[part], out=score[part], where=table.mover[part] == 1)
    return score
