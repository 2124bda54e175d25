"""Confidence intervals of 95 % for figures over clusters of games.

The two games of an opening are alike, and so are the moves of a game. So the independent unit is
the pair of games, not the move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

Z = 1.959963984540054
"""The normal quantile of 97.5 %."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and its interval; NaN if there is nothing to count."""

    figure: float
    low: float
    high: float


NOTHING = Interval(nan, nan, nan)


def share(clusters: Iterable[tuple[float, float]]) -> Interval:
    """Return the share of hits; a cluster is its number of hits and its number of parts.

    The interval is Wilson's. The variance between clusters determines the effective number of
    independent parts. If all clusters are alike, each counts as one part. But if every part is a
    hit, or none is, nothing suggests that the parts of a cluster depend on each other. Then every
    part counts.
    """
    sums = np.array(list(clusters), np.float64).reshape(-1, 2)
    sums = sums[sums[:, 1] > 0]
    if not len(sums):
        return NOTHING
    figure = float(sums[:, 0].sum() / sums[:, 1].sum())
    error = _error(sums, figure)
    if error > 0:
        count = figure * (1 - figure) / error**2
    else:
        count = float(len(sums) if 0 < figure < 1 else sums[:, 1].sum())
    middle = (figure + Z**2 / (2 * count)) / (1 + Z**2 / count)
    width = Z * sqrt(figure * (1 - figure) / count + Z**2 / (4 * count**2)) / (1 + Z**2 / count)
    return Interval(figure, max(0.0, middle - width), min(1.0, middle + width))


def mean(clusters: Iterable[tuple[float, float]], maximum: float) -> Interval:
    """Return the mean of amounts from 0 to `maximum`, with Wilson's interval for their share.

    Mistakes are rare and large. So the interval of a normal distribution would be too narrow in a
    small tournament, and empty for a player without mistakes.
    """
    interval = share((amount / maximum, parts) for amount, parts in clusters)
    return Interval(maximum * interval.figure, maximum * interval.low, maximum * interval.high)


def _error(sums: NDArray[np.float64], figure: float) -> float:
    """Return the standard error of a ratio of sums over clusters."""
    count = len(sums)
    if count < 2:
        return 0.0
    residuals = sums[:, 0] - figure * sums[:, 1]
    variance = float(residuals @ residuals) * count / (count - 1)
    return sqrt(variance) / float(sums[:, 1].sum())
