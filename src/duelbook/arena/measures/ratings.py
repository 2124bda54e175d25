"""Ratings: a Bradley-Terry model with a term for the first seat of each game, and a prior.

The probability that the player in seat 0 wins is logistic in the difference of the strengths plus
the seat term of the game. A draw counts as half a win. The order of the games does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from duelbook.arena.measures.confidence_intervals import Interval

ELO = 400 / log(10)
"""The Elo points per unit of strength."""
PRIOR_DEVIATION = 3.0
"""The standard deviation of strengths and seat terms in the prior, a normal around 0."""
BOOTSTRAP_SAMPLES = 400
MAX_STEPS = 100
STEP_TOLERANCE = 1e-9
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """The score of the player in seat 0 in a game, and the pair of the game."""

    game: str
    players: tuple[str, str]
    score: float
    pair: str


@dataclass(frozen=True)
class Ratings:
    """The rating of each player in Elo points, and the value of the first seat in each game."""

    players: dict[str, Interval]
    seats: dict[str, Interval]


def ratings(
    results: Iterable[ScoredGame],
    *,
    prior_deviation: float = PRIOR_DEVIATION,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = 0,
) -> Ratings:
    """Return ratings around a mean of 0, with bootstrap intervals over pairs of games."""
    in_order = sorted(results, key=lambda result: (result.pair, result.players))
    if not in_order:
        return Ratings({}, {})
    model = _Model(in_order, prior_deviation)
    figures = model.fit(np.ones(model.pairs))
    random = np.random.default_rng(seed)
    bootstrap_fits = np.array(
        [
            model.fit(
                random.multinomial(model.pairs, np.full(model.pairs, 1 / model.pairs)), figures
            )
            for _ in range(samples if model.pairs > 1 else 0)
        ]
    ).reshape(-1, len(figures))
    low, high = (
        np.quantile(bootstrap_fits, [0.025, 0.975], axis=0)
        if len(bootstrap_fits)
        else np.full((2, len(figures)), np.nan)
    )
    intervals = [
        Interval(*(float(result) * ELO for result in bounds))
        for bounds in zip(figures, low, high, strict=True)
    ]
    count = len(model.labels)
    return Ratings(
        dict(zip(model.labels, intervals[:count], strict=True)),
        dict(zip(model.games, intervals[count:], strict=True)),
    )


class _Model:
    """The games as arrays; equal pairings of a game share an entry."""

    def __init__(self, results: Sequence[ScoredGame], prior_deviation: float) -> None:
        self.labels = sorted({label for result in results for label in result.players})
        self.games = sorted({result.game for result in results})
        self._precision = 1 / prior_deviation**2
        player = {label: at for at, label in enumerate(self.labels)}
        game = {slug: at for at, slug in enumerate(self.games)}
        cells: dict[tuple[int, int, int], int] = {}
        pair: dict[str, int] = {}
        keys = [(player[r.players[0]], player[r.players[1]], game[r.game]) for r in results]
        self._cell = np.array([cells.setdefault(key, len(cells)) for key in keys], np.intp)
        self._pair = np.array([pair.setdefault(r.pair, len(pair)) for r in results], np.intp)
        self._score = np.array([result.score for result in results], np.float64)
        self.pairs = len(pair)
        self._design = np.zeros((len(cells), len(self.labels) + len(self.games)))
        for (first, second, slug), at in cells.items():
            self._design[at, first] += 1
            self._design[at, second] -= 1
            self._design[at, len(self.labels) + slug] = 1

    def fit(self, weights: NDArray[np.generic], start: Numbers | None = None) -> Numbers:
        """Return the most likely strengths and seat terms, given the weights of the pairs."""
        design = self._design
        game_weights = np.asarray(weights, np.float64)[self._pair]
        games = np.bincount(self._cell, game_weights, len(design))
        points = np.bincount(self._cell, game_weights * self._score, len(design))
        strengths = np.zeros(design.shape[1]) if start is None else start.copy()
        for _ in range(MAX_STEPS):
            win_probability = 1 / (1 + np.exp(-np.clip(design @ strengths, -30, 30)))
            gradient = design.T @ (points - games * win_probability) - self._precision * strengths
            hessian = (design.T * (games * win_probability * (1 - win_probability))) @ design
            hessian[np.diag_indices_from(hessian)] += self._precision
            step = np.linalg.solve(hessian, gradient)
            strengths += np.clip(step, -2, 2)
            if np.abs(step).max() < STEP_TOLERANCE:
                break
        strengths[: len(self.labels)] -= strengths[: len(self.labels)].mean()
        return strengths
