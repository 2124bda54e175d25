"""Matrix games: two simultaneous choices, their value and optimal strategies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Saddle:
    """The pure solution of a matrix of scores: the row player's value, and the best choices.

    The row player wins with positive scores, the column player with negative ones. A score nearer
    to zero ends the game later. The winner takes the fastest guaranteed win, the loser the slowest
    loss. Without a pure solution, `value` is None.
    """

    value: int | None
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


def saddle(scores: Numbers) -> Saddle:
    """Return the pure solution of a matrix of scores, if there is one."""
    sure, allowed = scores.min(1), scores.max(0)  # a row's minimum, a column's maximum
    low, high = int(sure.max()), int(allowed.min())
    rows, columns = np.flatnonzero(sure == low), np.flatnonzero(allowed == high)
    if low > 0:
        replies = scores[rows].max(0)
        return Saddle(low, rows, np.flatnonzero(replies == replies.min()))
    if high < 0:
        replies = scores[:, columns].min(1)
        return Saddle(high, np.flatnonzero(replies == replies.max()), columns)
    return Saddle(0 if low == high else None, rows, columns)


def mixture(payoffs: Shares) -> tuple[float, Shares, Shares]:
    """Return the value of a matrix of payoffs, and optimal mixed strategies of both sides."""
    sure, allowed = payoffs.min(1), payoffs.max(0)
    if sure.max() == allowed.min():  # a saddle point: no mixing needed
        rows, columns = sure == sure.max(), allowed == allowed.min()
        return float(sure.max()), rows / rows.sum(), columns / columns.sum()
    value, rows = _best_rows(payoffs.shape, np.ascontiguousarray(payoffs).tobytes())
    replies = np.ascontiguousarray(-payoffs.T)
    _, columns = _best_rows(replies.shape, replies.tobytes())
    return value, rows, columns


@lru_cache(maxsize=20_000)
def _best_rows(shape: tuple[int, int], content: bytes) -> tuple[float, Shares]:
    """Return the value and the best mixture of rows; cached, because matrices repeat."""
    payoffs = np.frombuffer(content).reshape(shape)
    from scipy.optimize import linprog  # slow to import, and few games need it

    count, replies = payoffs.shape
    # Maximise the payoff that a mixture of rows guarantees against every column.
    solved = linprog(
        np.append(np.zeros(count), -1.0),
        A_ub=np.column_stack([-payoffs.T, np.ones(replies)]),
        b_ub=np.zeros(replies),
        A_eq=np.append(np.ones(count), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)],
    )
    answer = np.asarray(solved.x, np.float64)
    shares: Shares = np.clip(answer[:-1], 0, None)
    shares /= shares.sum()
    shares.setflags(write=False)  # the cache shares it
    return float(answer[-1]), shares
