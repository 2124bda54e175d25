"""Lost positions: find the move that sets the opponent the hardest task.

Every move loses against best play. The best move makes it hardest for the opponent to find a win:

1. It leaves the smallest share of winning answers among all answers of the opponent.
2. Among these moves, it delays the loss longest.
3. Among these, it is the first in the order of `moves`.

A move that ends the game has share 1. If the same player moves again, a move is as good as the best
move after it.

A search in a large game cannot judge every answer. It prefers the longest delay first, and counts
only the answers that win as fast as best play.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from duelbook.position import Position
from duelbook.solver.oracle import TOP, Oracle
from duelbook.solver.search import Search


@dataclass(frozen=True)
class DefenceTask:
    """The task of the opponent after a losing move."""

    winning: int
    """The number of winning answers."""
    answers: int
    """The number of answers; 0 if the game is over."""
    plies: int
    """The plies to the end, including the losing move."""

    @property
    def score(self) -> int:
        """The score of the losing move, as `Oracle` defines it."""
        return self.plies - TOP

    @property
    def ease(self) -> tuple[float, int]:
        """The share of winning answers, and the negative plies to the end; less is harder."""
        return self.winning / self.answers if self.answers else 1.0, -self.plies


def hardest_task(oracle: Oracle, position: Position) -> tuple[str, DefenceTask]:
    """Return the move that sets the hardest task, in a lost position without chance or secrets."""
    if isinstance(oracle, Search):
        tasks = _searched(oracle, position)
    else:
        known: dict[Position, DefenceTask] = {}
        tasks = {
            move: _after(oracle, position.apply(move), position.to_move, known)
            for move in position.moves()
        }
    return min(tasks.items(), key=lambda item: item[1].ease)


def _after(
    oracle: Oracle, after: Position, loser: int, known: dict[Position, DefenceTask]
) -> DefenceTask:
    """Return the task in a position that a losing move led to."""
    if after not in known:
        if after.to_move == loser and after.moves():  # each ply is nearer to the end
            tasks = (_after(oracle, after.apply(move), loser, known) for move in after.moves())
            best = min(tasks, key=lambda task: task.ease)
            known[after] = replace(best, plies=best.plies + 1)
        else:
            scores = oracle.move_scores(after).values()
            winning = sum(score > 0 for score in scores)
            known[after] = DefenceTask(winning, len(scores), 1 + (oracle.distance(after) or 0))
    return known[after]


def _searched(search: Search, position: Position) -> dict[str, DefenceTask]:
    """Return the tasks after the slowest losses; only answers that win without delay count."""
    plies = search.distance(position) or 0
    slowest = [move for move in position.moves() if search.is_optimal(position, move)]
    tasks = {}
    for move in slowest:
        after = position.apply(move)
        answers = after.moves() if after.to_move != position.to_move else []
        winning = sum(search.is_optimal(after, answer) for answer in answers)
        tasks[move] = DefenceTask(winning, len(answers), plies)
    return tasks
