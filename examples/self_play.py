"""Learn a table of values by self-play, and evaluate the learned policy exactly.

    python examples/self_play.py [PICTURE [ROUNDS]]

Many games run at once in a `VectorEnv`. Every move of every position has an estimated
value: the result if both sides continue with the best moves learned so far. At regular intervals
`duelbook.evaluate` computes, without sampling, how much a best response would gain against
the policy that follows from these values.
"""

from __future__ import annotations

import sys

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

import duelbook

GAME = "island-conquest"
GAMES_AT_ONCE, STEPS, ROUNDS = 100, 10, "60"
EXPLORATION = 0.3  # the probability of exploring a random move
LEARNING_RATE = 0.2
TIE_BREAK = 1e-6
SHARPNESS = 20.0  # the inverse temperature of the policy

Numbers = NDArray[np.float64]


class Learner:
    """Learns from many games against itself."""

    def __init__(self, seed: int) -> None:
        self.env = duelbook.VectorEnv(GAME, GAMES_AT_ONCE)
        self.table, self.batch = self.env.table, self.env.reset()
        self.at = np.zeros(GAMES_AT_ONCE, np.int32)
        self.random = np.random.default_rng(seed)
        self.games = 0
        self.values = np.full((len(self.table), len(self.table.game.ACTIONS)), -np.inf)
        self.values[self.table.sources, self.table.actions] = 0.0

    def step(self) -> None:
        """Make a move in every game, and learn from it."""
        estimates = self.values[self.at]
        estimates = estimates + TIE_BREAK * self.random.random(estimates.shape)
        explores = self.random.random(GAMES_AT_ONCE) < EXPLORATION
        actions = np.where(explores, self.env.sample(self.random), estimates.argmax(axis=1))
        mover, batch = self.batch.seats, self.env.step(actions)
        after = batch.reached
        sign = np.where(self.table.mover[after] == mover, 1.0, -1.0)
        reward = batch.rewards[np.arange(GAMES_AT_ONCE), mover]
        later = sign * self.values[after].max(axis=1)
        self.learn(self.at, actions, np.where(batch.terminated, reward, later))
        ended = batch.terminated | batch.truncated
        self.batch, self.at = batch, np.where(ended, 0, after).astype(np.int32)
        self.games += int(ended.sum())

    def learn(self, at: NDArray[np.int32], actions: NDArray[np.int64], targets: Numbers) -> None:
        """Move each estimate towards the mean of its new results."""
        moves = at * self.values.shape[1] + actions
        visits = np.bincount(moves, minlength=self.values.size)
        total = np.bincount(moves, targets, self.values.size)
        known, flat = visits > 0, self.values.reshape(-1)
        flat[known] += LEARNING_RATE * (total[known] / visits[known] - flat[known])

    def policy(self) -> Numbers:
        """Return the probability of each move of the table."""
        best = self.values.max(axis=1)[self.table.sources]
        behind = self.values[self.table.sources, self.table.actions] - best
        weights = np.exp(SHARPNESS * behind)
        shares: Numbers = weights / np.bincount(self.table.sources, weights)[self.table.sources]
        return shares


def main(picture: str = "self_play.png", rounds: str = ROUNDS) -> None:
    """Learn, evaluate and plot."""
    learner = Learner(seed=1)
    games, gains, regrets = [], [], []
    for _ in range(int(rounds)):
        for _ in range(STEPS):
            learner.step()
        evaluation = duelbook.evaluate(learner.table, learner.policy())
        games.append(learner.games)
        gains.append(evaluation.exploitability)
        regrets.append(sum(evaluation.mean_regret) / 2)
    print(f"{games[-1]:,} games: exploitability falls from {gains[0]:.4f} to {gains[-1]:.4f}.")
    draw(picture, games, gains, regrets)


def draw(picture: str, games: list[int], gains: list[float], regrets: list[float]) -> None:
    """Plot the progress of the policy."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(games, gains, label="exploitability")
    axes.plot(games, regrets, label="regret per move")
    axes.set(xlabel="games of self-play", ylim=(0, None), title=duelbook.load(GAME).title)
    axes.legend()
    figure.savefig(picture, dpi=120)
    print(f"Wrote {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
