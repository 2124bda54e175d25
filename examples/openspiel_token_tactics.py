"""Train OpenSpiel's Monte Carlo CFR on Token Tactics, and evaluate its policy exactly.

    python examples/openspiel_token_tactics.py [PICTURE [ITERATIONS]]

With best play, Player 1 loses: both players fortify until neither can. Then Player 1 must attack,
and Player 2 defends with all tokens. So the learner is Player 2.
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
            view = information.rpartition(" | ")[2]
            weights[view] = weights.get(view, 0) + learned[AVG_POLICY_INDEX]

        def policy(view: Position) -> dict[str, float]:
            moves = view.moves()
            shares = weights.get(repr(view), np.ones(len(moves)))  # never visited: uniform
            return dict(zip(moves, (shares / shares.sum()).tolist(), strict=True))

        return policy


def learn(max_iterations: int) -> list[PolicyEvaluation]:
    """Return the evaluations of the learned policy, up to `max_iterations`."""
    np.random.seed(1)  # OpenSpiel's random numbers
    limit = duelbook.solve(Game).distance(Game())  # best play takes no longer
    learner = Learner(pyspiel.load_game(register(Game), {"limit": limit}))
    table = enumerate_game(Game)
    done, evaluations = 0, []
    for iterations in filter(max_iterations.__ge__, ITERATIONS):
        for _ in range(iterations - done):
            learner.iteration()
        done = iterations
        evaluations.append(duelbook.evaluate(table, learner.policy(), against="perfect"))
        wins, worst = map(win_probability, (evaluations[-1].values, evaluations[-1].worst_case))
        print(
            f"{done:>4} iterations: against perfect play {wins:.1%} won, "
            f"against a best response {worst:.1%}"
        )
    return evaluations


def win_probability(values: tuple[float, float]) -> float:
    """Return the learner's winning probability; no game is endless here."""
    return (1 + values[LEARNER]) / 2


def draw(evaluations: list[PolicyEvaluation], file: str) -> None:
    """Plot the evaluation over the iterations."""
    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    done = ITERATIONS[: len(evaluations)]
    against_perfect = [100 * win_probability(each.values) for each in evaluations]
    axes.plot(done, against_perfect, marker="o", label="against perfect play")
    at_worst = [100 * win_probability(each.worst_case) for each in evaluations]
    axes.plot(done, at_worst, marker="o", label="against a best response")
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


def main(picture: str = "openspiel_token_tactics.png", iterations: str = "512") -> None:
    """Learn, evaluate and plot."""
    draw(learn(int(iterations)), picture)
    print(f"Wrote {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
