"""Scoring: who can force a win from each position of a table, and in how many plies.

The scores are those of an Oracle. While they are computed they are all for seat 0, so that a
position is scored from its own mover and the scores of the positions that its moves lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError
from duelbook.exact.oracle import TOP
from duelbook.exact.tables import Table
from duelbook.exact.vectors import Ints
from duelbook.position import LUCK

Scores = NDArray[np.int16]
PART = 1 << 18
"""Positions that are scored at once, so that little memory is needed beside the table."""


@dataclass(frozen=True, eq=False)
class Part:
    """Some positions of a table with their moves."""

    mover: NDArray[np.int8]
    counts: NDArray[np.int64]
    """The number of moves of each position."""
    after: Ints

    @classmethod
    def of(cls, table: Table, which: slice) -> Part:
        """Return these positions of a table."""
        rows = table.rows[which.start : which.stop + 1]
        return cls(table.mover[which], np.diff(rows), table.after[rows[0] : rows[-1]])


Look = Callable[[Table, list[slice], Scores], Iterator[Scores]]
"""Scores parts of a table, given the scores of the positions that their moves lead to.

It yields, for each part, the scores of its positions with moves. Of the scores it is given, those
that no move of the parts leads to may be any.
"""


class Correction(Protocol):
    """Corrects the scores of positions that one player cannot tell apart."""

    def score(self, score: Scores, seen: Scores) -> None:
        """Correct scores for the players to move, given what the moves are worth to them."""


def look_ahead(part: Part, score: Scores) -> Scores:
    """Return the scores of the positions with moves: the best that their moves lead to.

    After a move of luck, a score stands only if it does whatever falls: the longest of the wins or
    the longest of the losses.
    """
    moving = part.counts > 0
    mover, counts = part.mover[moving], part.counts[moving]
    if not len(mover):
        return score[:0]
    seen, starts = score[part.after], np.cumsum(counts) - counts
    if (mover == mover[0]).all() and mover[0] != LUCK:
        best = (np.maximum if mover[0] == 0 else np.minimum).reduceat(seen, starts)
        return one_ply_later(best)
    most, least = np.maximum.reduceat(seen, starts), np.minimum.reduceat(seen, starts)
    whatever = np.where(least > 0, least, np.where(most < 0, most, np.int16(0)))
    best = np.where(mover == 0, most, np.where(mover == 1, least, whatever))
    return one_ply_later(best)


def look_here(table: Table, parts: list[slice], score: Scores) -> Iterator[Scores]:
    """Score parts of a table in this process."""
    return (look_ahead(Part.of(table, part), score) for part in parts)


def one_ply_later(score: Scores) -> Scores:
    """Return scores as they are one ply before."""
    return score - np.sign(score)


def score_table(
    table: Table, look: Look = look_here, correction: Correction | None = None
) -> Scores:
    """Return the score of each position for the player to move."""
    if table.steps_forward and correction is None:
        score = _layer_by_layer(table, look)
    else:
        score = _sweep(table, look, correction)
    return _turned(table, score)


def _layer_by_layer(table: Table, look: Look) -> Scores:
    """Score a game without cycles by backward induction: each layer from the next."""
    score = _ends(table)
    for begin, end in reversed(list(pairwise(table.layers))):
        _score(table, look, _parts(begin, end), score, score)
    return score


def _sweep(table: Table, look: Look, correction: Correction | None) -> Scores:
    """Score any game: each sweep looks one ply further, until a sweep changes nothing.

    After n sweeps, exactly the positions that can be decided within n plies are decided. In the
    positions that remain undecided, neither side can force a win.
    """
    score = _ends(table)
    for _ in range(TOP - 1):
        best = score.copy()
        _score(table, look, _parts(0, len(table)), score, best)
        if correction is not None:
            seen = table.to_movers(_turned(table, score.copy()))
            correction.score(_turned(table, best), seen)
            _turned(table, best)
        if np.array_equal(best, score):
            return score
        score = best
    raise DuelbookError(f"{table.game.title} has wins that take more than {TOP:,} plies.")


def _score(table: Table, look: Look, parts: list[slice], score: Scores, into: Scores) -> None:
    """Score parts of a table."""
    for part, found in zip(parts, look(table, parts, score), strict=True):
        into[part][np.diff(table.rows[part.start : part.stop + 1]) > 0] = found


def _ends(table: Table) -> Scores:
    """Return the scores of terminal positions for seat 0, and 0 for all others."""
    score = np.zeros(len(table), np.int16)
    for part in _parts(0, len(table)):
        winner = table.winner[part]
        score[part][winner == 0] = TOP
        score[part][winner == 1] = -TOP
    return score


def _turned(table: Table, score: Scores) -> Scores:
    """Turn scores for seat 0 into scores for the player to move, or back, where they are."""
    for part in _parts(0, len(table)):
        np.negative(score[part], out=score[part], where=table.mover[part] == 1)
    return score


def _parts(begin: int, end: int) -> list[slice]:
    return [slice(at, min(at + PART, end)) for at in range(begin, end, PART)]
