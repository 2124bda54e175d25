"""OpenSpiel's Monte Carlo CFR learns Token Tactics; its policy is evaluated exactly.

    python examples/openspiel_token_tactics.py [PICTURE [ITERATIONS]]

With best play the first player loses: both fortify until neither can, then the first must attack,
and the second defends with everything. So the learner takes the second seat.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import matplotlib as mpl
import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver
from open_spiel.python.algorithms.mccfr import AVG_POLICY_INDEX

import duelbook
from duelbook import Position
from duelbook.adapters.openspiel import register
from duelbook.research.evaluation_results import PolicyEvaluation
from duelbook.solver.enumeration.enumerator import enumerate_game

Policy = Callable[[Position], dict[str, float]]

Game = duelbook.load("token-tactics")
ITERATIONS = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512]
LEARNER = 1


class Learner(ExternalSamplingSolver):  # type: ignore[misc] # OpenSpiel ships no types
    """OpenSpiel's solver, with its average policy as a function of a view."""

    def policy(self) -> Policy:
        """Return the average policy over all information states with the same view.

        Only the view matters in this game, but the solver does not know that.
        """
        weights: dict[str, NDArray[np.float64]] = {}
        for information, learned in self._infostates.items():
            look = information.rpartition(" | ")[2]
            weights[look] = weights.get(look, 0) + learned[AVG_POLICY_INDEX]

        def policy(view: Position) -> dict[str, float]:
            moves = view.moves()
            shares = weights.get(repr(view), np.ones(len(moves)))  # never visited: uniform
            return dict(zip(moves, (shares / shares.sum()).tolist(), strict=True))

        return policy


def learn(most: int) -> list[PolicyEvaluation]:
    """Return the evaluations of the learned policy, up to `most` iterations."""
    np.random.seed(1)  # OpenSpiel's random numbers
    limit = duelbook.solve(Game).distance(Game())  # best play ends earlier
    learner = Learner(pyspiel.load_game(register(Game), {"limit": limit}))
    table = enumerate_game(Game)
    done, found = 0, []
    for iterations in filter(most.__ge__, ITERATIONS):
        for _ in range(iterations - done):
            learner.iteration()
        done = iterations
        found.append(duelbook.evaluate(table, learner.policy(), against="perfect"))
        print(
            f"{done:>4} iterations: against perfect play {share(found[-1].values):.1%} won, "
            f"against the best reply {share(found[-1].worst_case):.1%}"
        )
    return found


def share(values: tuple[float, float]) -> float:
    """Return the learner's winning probability; no game is endless here."""
    return (1 + values[LEARNER]) / 2


def draw(found: list[PolicyEvaluation], file: str) -> None:
    """Plot the evaluation over the iterations."""
    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    done = ITERATIONS[: len(found)]
    against_perfect = [100 * share(one.values) for one in found]
    axes.plot(done, against_perfect, marker="o", label="against perfect play")
    at_worst = [100 * share(one.worst_case) for one in found]
    axes.plot(done, at_worst, marker="o", label="against a best reply")
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.set(
        title=f"{Game.title}: OpenSpiel's external-sampling MCCFR",
        xlabel="iterations",
        ylabel="% won as Player 2",
        ylim=(0, 104),
    )
    axes.legend(loc="upper left")
    figure.savefig(file, dpi=120)


def main(picture: str = "openspiel_token_tactics.png", most: str = "512") -> None:
    """Learn, measure and draw."""
    draw(learn(int(most)), picture)
    print(f"Wrote {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
