"""Scoring: compute the score of each position from the positions that its moves lead to.

`Oracle` defines the scores: which seat can force a win, and in how many plies. During the
computation, all scores belong to seat 0. So any process can score a part of a table: it needs the
movers and moves of the part, and the scores of the positions that the moves lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError
from duelbook.position import CHANCE
from duelbook.solver.oracle import TOP
from duelbook.solver.tables.array_rules import Ints
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.backward_induction import spans_backward

Scores = NDArray[np.int16]
Values = NDArray[np.float64]
Array = TypeVar("Array", Scores, Values)
TOO_LONG = f"{{}} has games of more than {TOP:,} plies, which scores cannot count."
PART = 1 << 18
"""The number of positions to score at once, to limit the memory beside the table."""


@dataclass(frozen=True, eq=False)
class Part:
    """Some positions of a table with their moves."""

    mover: NDArray[np.int8]
    counts: NDArray[np.int64]
    """The number of moves of each position."""
    after: Ints
    weights: NDArray[np.int64] | None
    """The weight of each chance outcome; None without chance."""

    @classmethod
    def of(cls, table: Table, which: slice) -> Part:
        """Return these positions of a table."""
        rows = table.rows[which.start : which.stop + 1]
        moves = slice(rows[0], rows[-1])
        weights = None if table.weights is None else table.weights[moves]
        return cls(table.mover[which], np.diff(rows), table.after[moves], weights)


Backup = Callable[[Part, NDArray[Any]], NDArray[Any]]
"""A function from a part and the scores of all positions to the scores of the part."""
BackupRunner = Callable[[Backup, Table, list[slice], NDArray[Any]], Iterator[NDArray[Any]]]
"""A function that runs a backup on parts of a table, and yields the results in order."""


class Correction(Protocol):
    """Corrects the scores of positions in information sets with several positions."""

    def score(self, score: Scores, seen: Scores) -> None:
        """Correct the scores for the players to move, given the scores of their moves."""


def back_up_scores(part: Part, score: Scores) -> Scores:
    """Return the scores of the positions with moves: the best score after a move.

    At a chance node, a win or a loss counts only if every outcome leads to it. The slowest outcome
    then determines the score.
    """
    moving = part.counts > 0
    mover, counts = part.mover[moving], part.counts[moving]
    if not len(mover):
        return score[:0]
    seen, starts = score[part.after], np.cumsum(counts) - counts
    if (mover == mover[0]).all() and mover[0] != CHANCE:
        best = (np.maximum if mover[0] == 0 else np.minimum).reduceat(seen, starts)
        return one_ply_later(best)
    highest, lowest = np.maximum.reduceat(seen, starts), np.minimum.reduceat(seen, starts)
    certain = np.where(lowest > 0, lowest, np.where(highest < 0, highest, np.int16(0)))
    best = np.where(mover == 0, highest, np.where(mover == 1, lowest, certain))
    return one_ply_later(best)


def back_up_values(part: Part, values: Values) -> Values:
    """Return the values of the positions with moves: the best, or at a chance node the mean."""
    moving = part.counts > 0
    mover, counts = part.mover[moving], part.counts[moving]
    if not len(mover):
        return values[:0]
    later, starts = values[part.after], np.cumsum(counts) - counts
    highest, lowest = np.maximum.reduceat(later, starts), np.minimum.reduceat(later, starts)
    best: Values = np.where(mover == 0, highest, lowest)
    if part.weights is not None:
        totals = np.add.reduceat(part.weights, starts)
        chances = part.weights / np.repeat(np.maximum(totals, 1), counts)
        best = np.where(mover == CHANCE, np.add.reduceat(later * chances, starts), best)
    return best


def run_locally(
    backup: Backup, table: Table, parts: list[slice], score: NDArray[Any]
) -> Iterator[NDArray[Any]]:
    """Run a backup on parts of a table in this process."""
    return (backup(Part.of(table, part), score) for part in parts)


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
        score = layer_by_layer(table, run, back_up_scores, _ends(table))
    else:
        score = _sweep(table, run, correction)
    return _turned(table, score)


def layer_by_layer(table: Table, run: BackupRunner, backup: Backup, score: Array) -> Array:
    """Score a game without cycles by backward induction: each layer from the layer after it.

    `score` holds the scores of the terminal positions, and receives those of all others.
    """
    for begin, end in spans_backward(table):
        _score(table, run, backup, _parts(begin, end), score, score)
    return score


def _sweep(table: Table, run: BackupRunner, correction: Correction | None) -> Scores:
    """Score any game: each sweep looks one ply further, until a sweep changes nothing.

    After n sweeps, a position has a score if and only if a side can force a win within n plies. In
    the positions without a score at the end, neither side can force a win.
    """
    score = _ends(table)
    for _ in range(TOP - 1):
        best = score.copy()
        _score(table, run, back_up_scores, _parts(0, len(table)), score, best)
        if correction is not None:
            seen = table.to_movers(_turned(table, score.copy()))
            correction.score(_turned(table, best), seen)
            _turned(table, best)
        if np.array_equal(best, score):
            return score
        score = best
    raise DuelbookError(TOO_LONG.format(table.game.title))


def _score(  # noqa: PLR0913, PLR0917 # input, output and method
    table: Table, run: BackupRunner, backup: Backup, parts: list[slice], score: Array, into: Array
) -> None:
    """Score parts of a table."""
    for part, scores in zip(parts, run(backup, table, parts, score), strict=True):
        into[part][np.diff(table.rows[part.start : part.stop + 1]) > 0] = scores


def _ends(table: Table) -> Scores:
    """Return the scores of terminal positions for seat 0, and 0 for all others."""
    score = np.zeros(len(table), np.int16)
    for part in _parts(0, len(table)):
        winner = table.winner[part]
        score[part][winner == 0] = TOP
        score[part][winner == 1] = -TOP
    return score


def _turned(table: Table, score: Scores) -> Scores:
    """Turn scores for seat 0 into scores for the player to move, or back, in place."""
    for part in _parts(0, len(table)):
        np.negative(score[part], out=score[part], where=table.mover[part] == 1)
    return score


def _parts(begin: int, end: int) -> list[slice]:
    return [slice(at, min(at + PART, end)) for at in range(begin, end, PART)]
