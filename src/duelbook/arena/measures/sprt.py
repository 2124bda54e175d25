"""A sequential probability ratio test over pairs of games, as chess programmers use it.

The test treats the score of a pair (0, 0.5, 1, 1.5 or 2 points) as normal, with the observed
variance. It decides between a difference of at most elo0 and a difference of at least elo1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np

from duelbook.arena.tournament.tournament_file import Sprt

Verdict = Literal["H0", "H1", ""]
"""The accepted hypothesis, or an empty text."""
PRIOR_WEIGHT = 0.5
"""The prior weight of the five results together, so that the variance is never 0."""


@dataclass(frozen=True, slots=True)
class SprtState:
    """The state of a test."""

    llr: float
    """The log-likelihood ratio."""
    low: float
    high: float
    pairs: int

    @property
    def verdict(self) -> Verdict:
        """The accepted hypothesis, or an empty text."""
        return "H1" if self.llr >= self.high else "H0" if self.llr <= self.low else ""


def sprt_state(sprt: Sprt, scores: Sequence[float]) -> SprtState:
    """Return the test after pairs with these scores, from 0 to 2 points each."""
    low, high = log(sprt.beta / (1 - sprt.alpha)), log((1 - sprt.beta) / sprt.alpha)
    if not scores:
        return SprtState(0.0, low, high, 0)
    results = np.concatenate([np.asarray(scores, np.float64) / 2, [0, 0.25, 0.5, 0.75, 1]])
    weights = np.concatenate([np.ones(len(scores)), np.full(5, PRIOR_WEIGHT / 5)])
    mean = float(np.average(results, weights=weights))
    variance = float(np.average((results - mean) ** 2, weights=weights))
    expected0, expected1 = expected_score(sprt.elo0), expected_score(sprt.elo1)
    drift = (expected1 - expected0) * (2 * mean - expected0 - expected1)
    return SprtState(len(scores) * drift / (2 * variance), low, high, len(scores))


def expected_score(elo: float) -> float:
    """Return the expected score of a difference in Elo points."""
    return float(1 / (1 + 10 ** (-elo / 400)))
