"""Hidden choices: a hidden choice and the answer to it are a matrix game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.matrix_games import mixture
from duelbook.solver.values.scoring import Scores, one_ply_later

CONVERGENCE_TOLERANCE = 1e-12
MAX_SWEEPS = 100_000


@dataclass(frozen=True)
class HiddenChoices:
    """The information sets with several positions: hidden choices and the answers to them.

    Each is a matrix game. Its rows are the positions of the set, one for each hidden choice; its
    columns are the answers. `rows_of` and `columns_of` list the moves (entries of `table.after`)
    of one set after the other, by rows and by columns.
    """

    members: list[NDArray[np.intp]]
    answers: list[int]
    rows_of: NDArray[np.int64]
    columns_of: NDArray[np.int64]
    row_starts: NDArray[np.int64]
    column_starts: NDArray[np.int64]
    first_rows: NDArray[np.int64]
    first_columns: NDArray[np.int64]

    @classmethod
    def of(cls, table: Table) -> HiddenChoices | None:
        """Return the hidden choices of a table, or None if the game hides nothing."""
        if not secrecy.keeps_secrets(table.game):
            return None
        members = table.secret_sets
        answers = [int(table.rows[g[0] + 1] - table.rows[g[0]]) for g in members]
        by_rows = [
            table.rows[g][:, None] + np.arange(a) for g, a in zip(members, answers, strict=True)
        ]
        shapes = np.array([block.shape for block in by_rows]).reshape(-1, 2)
        return cls(
            members,
            answers,
            np.concatenate([block.ravel() for block in by_rows]) if members else np.empty(0, int),
            np.concatenate([block.T.ravel() for block in by_rows]) if members else np.empty(0, int),
            _starts(np.repeat(shapes[:, 1], shapes[:, 0])),
            _starts(np.repeat(shapes[:, 0], shapes[:, 1])),
            _starts(shapes[:, 0]),
            _starts(shapes[:, 1]),
        )

    def bounds(self, seen: Scores) -> tuple[Scores, Scores]:
        """Return the answering player's maximin and minimax score in each set.

        An answer guarantees its worst case over the hidden choices; a hidden choice allows its
        best answer.
        """
        sure = np.minimum.reduceat(seen[self.columns_of], self.column_starts)
        allowed = np.maximum.reduceat(seen[self.rows_of], self.row_starts)
        low = np.maximum.reduceat(sure, self.first_columns)
        high = np.minimum.reduceat(allowed, self.first_rows)
        return low, high

    def score(self, score: Scores, seen: Scores) -> None:
        """Give all positions of a set the score of its matrix game; 0 without a pure solution."""
        if not self.members:
            return
        low, high = self.bounds(seen)
        scores = one_ply_later(np.where(low > 0, low, np.where(high < 0, high, 0)))
        for group, result in zip(self.members, scores, strict=True):
            score[group] = result

    def undecided(self, table: Table, score: Scores) -> bool:
        """Return whether some matrix game has no pure solution."""
        if not self.members:
            return False
        low, high = self.bounds(table.to_movers(score))
        return bool(((low <= 0) & (high >= 0) & (low != high)).any())


def _starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.cumsum(lengths) - lengths


def mixed_values(table: Table, hidden: HiddenChoices, score: Scores) -> NDArray[np.float64]:
    """Return the values of a game that needs mixed strategies."""
    value = np.sign(score).astype(np.float64)
    open_ = np.flatnonzero((score == 0) & (np.diff(table.rows) > 0))
    same = table.same_mover()
    in_set = np.zeros(len(table), np.bool_)
    for group in hidden.members:
        in_set[group] = True
    plain = open_[~in_set[open_]]
    for _ in range(MAX_SWEEPS):
        before = value.copy()
        seen = value[table.after] * same
        for position in plain:
            value[position] = seen[table.rows[position] : table.rows[position + 1]].max()
        for group, answers in zip(hidden.members, hidden.answers, strict=True):
            if score[group[0]] == 0:
                entries = table.rows[group][:, None] + np.arange(answers)
                value[group] = -mixture(-seen[entries])[0]
        if np.abs(value - before).max() < CONVERGENCE_TOLERANCE:
            return value
    raise DuelbookError(f"The values of {table.game.title} do not converge.")
