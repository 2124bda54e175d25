"""A random search for a fairer start of a game.

    python examples/fairer_start.py [PICTURE [STARTS]]

With the book's start, the player who moves first wins Island Conquest in four turns. This program
draws random islands, sea levels and tokens many times, solves each start, and computes the exact
winning probabilities of two equally fallible players. The best start has a
probability nearest to 50 %, among those in which perfect play lasts at least five plies.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from random import Random
from typing import Self

import matplotlib as mpl

from duelbook import Position
from duelbook.games.island_conquest import IslandConquest
from duelbook.research.expectation import expectation
from duelbook.research.policies import at_random, perfect
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.oracle import TOP
from duelbook.solver.solve import solve_positions

STARTS = "400"
MISTAKES = 0.3  # the probability that a fallible player makes a random move
MIN_PLIES = 5


@dataclass(frozen=True)
class Trial:
    """A start, and its evaluation."""

    start: IslandConquest
    winner: int
    plies: int
    win_probability: float
    """The probability that Player 1 wins between two fallible players."""

    @property
    def unfairness(self) -> float:
        """The distance of the probability from 50 %."""
        return abs(self.win_probability - 0.5)


def with_start(chosen: IslandConquest) -> type[Position]:
    """Return the same game from another start."""

    class Restarted(IslandConquest):
        @classmethod
        def start(cls, first: int = 0) -> Self:
            return cls.from_json(chosen.to_json() | {"to_move": first})

    return Restarted


def evaluate_start(chosen: IslandConquest) -> Trial:
    """Solve the game from a start, and compute the probabilities of fallible players."""
    table = enumerate_game(with_start(chosen))
    solution = solve_positions(table)
    score = int(solution.scores[0])
    shares = MISTAKES * at_random(table) + (1 - MISTAKES) * perfect(table, solution)
    win_probability = float(expectation(table, shares).wins[0, 0])
    return Trial(chosen, 0 if score > 0 else 1, TOP - abs(score), win_probability)


def random_start(random: Random) -> IslandConquest:
    """Return a random start."""
    island, difference = random.randint(25, 45), random.randint(-5, 5)
    tokens = random.randint(0, 3), random.randint(0, 3)
    return IslandConquest(
        islands=(island, island + difference), sea=random.randint(1, 4), tokens=tokens
    )


def main(picture: str = "fairer_start.png", starts: str = STARTS) -> None:
    """Search, print the result and plot it."""
    random = Random(1)
    book = evaluate_start(IslandConquest())
    trials = [evaluate_start(random_start(random)) for _ in range(int(starts))]
    best = min((t for t in trials if t.plies >= MIN_PLIES), key=lambda t: t.unfairness)
    for name, trial in [("The book", book), ("The fairest", best)]:
        print(f"{name}: {trial.start}")
        print(
            f"  Perfect players: Player {trial.winner + 1} wins in {trial.plies}. "
            f"Fallible ones: Player 1 wins {100 * trial.win_probability:.1f} %."
        )
    draw(picture, book, best, trials)


def draw(picture: str, book: Trial, best: Trial, trials: list[Trial]) -> None:
    """Plot every start by its length under perfect play and its winning probability."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    jitter = Random(0)  # separates dots at the same place
    for winner in (0, 1):
        won = [trial for trial in trials if trial.winner == winner]
        axes.scatter(
            [trial.plies + jitter.uniform(-0.25, 0.25) for trial in won],
            [100 * trial.win_probability for trial in won],
            s=14,
            alpha=0.6,
            label=f"perfect players: Player {winner + 1} wins",
        )
    for name, trial, marker in [("the book", book, "s"), ("the fairest", best, "*")]:
        axes.scatter(
            [trial.plies], [100 * trial.win_probability], s=130, marker=marker, label=name, c="k"
        )
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(
        xlabel="plies under perfect play",
        ylabel="Player 1 wins, in % (fallible players)",
        title=f"{len(trials)} starts of {book.start.title}",
    )
    axes.set_xticks(sorted({trial.plies for trial in trials}))
    figure.legend(loc="outside right upper")
    figure.savefig(picture, dpi=120)
    print(f"Wrote {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
