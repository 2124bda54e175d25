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


NO_INTERVAL = Interval(nan, nan, nan)


def share(clusters: Iterable[tuple[float, float]]) -> Interval:
    """Return the share of hits, with Wilson's interval; each cluster is a pair (hits, trials).

    The variance between clusters determines the effective number of independent trials. If all
    clusters are alike, each counts as one trial. But if every trial is a hit, or none is, nothing
    suggests that the trials of a cluster depend on each other. Then every trial counts.
    """
    sums = np.array(list(clusters), np.float64).reshape(-1, 2)
    sums = sums[sums[:, 1] > 0]
    if not len(sums):
        return NO_INTERVAL
    figure = float(sums[:, 0].sum() / sums[:, 1].sum())
    standard_error = _standard_error(sums, figure)
    if standard_error > 0:
        effective_trials = figure * (1 - figure) / standard_error**2
    else:
        effective_trials = float(len(sums) if 0 < figure < 1 else sums[:, 1].sum())
    scale = 1 + Z**2 / effective_trials
    middle = (figure + Z**2 / (2 * effective_trials)) / scale
    variance = figure * (1 - figure) / effective_trials + Z**2 / (4 * effective_trials**2)
    half_width = Z * sqrt(variance) / scale
    return Interval(figure, max(0.0, middle - half_width), min(1.0, middle + half_width))


def mean(clusters: Iterable[tuple[float, float]], maximum: float) -> Interval:
    """Return the mean of amounts from 0 to `maximum`, with Wilson's interval for their share.

    Mistakes are rare and large. So the interval of a normal distribution would be too narrow in a
    small tournament, and empty for a player without mistakes.
    """
    interval = share((amount / maximum, trials) for amount, trials in clusters)
    return Interval(maximum * interval.figure, maximum * interval.low, maximum * interval.high)


def _standard_error(sums: NDArray[np.float64], figure: float) -> float:
    """Return the standard error of a ratio of sums over clusters."""
    count = len(sums)
    if count < 2:
        return 0.0
    residuals = sums[:, 0] - figure * sums[:, 1]
    variance = float(residuals @ residuals) * count / (count - 1)
    return sqrt(variance) / float(sums[:, 1].sum())
