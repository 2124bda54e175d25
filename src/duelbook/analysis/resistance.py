"""Lost positions: the move that sets the opponent the hardest task.

Every move loses against best play, so the moves are compared by what the opponent has to find:

1. the smallest share of winning answers among all answers of the opponent;
2. of these moves, the one with the longest way to the loss;
3. of these, the first in the order of `moves`.

A move that ends the game leaves nothing to find: its share is 1. Where the same player goes on, a
move is as good as the best one after it.

A large game is searched, and a search cannot afford to judge every answer. There the longest way
comes first, and the answers that count are those that win as soon as best play does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from duelbook.position import Position
from duelbook.solver.oracle import TOP, Oracle
from duelbook.solver.search import Search


@dataclass(frozen=True)
class DefenceTask:
    """What the opponent has to find after a losing move."""

    winning: int
    """How many answers win."""
    answers: int
    """How many answers there are; none if the game is over."""
    plies: int
    """The plies to the end, the losing move included."""

    @property
    def score(self) -> int:
        """The score of the losing move, as an `Oracle` gives it."""
        return self.plies - TOP

    @property
    def ease(self) -> tuple[float, int]:
        """The share of winning answers, and then how soon the end comes; less is harder."""
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
    return min(tasks.items(), key=lambda one: one[1].ease)


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
            worths = oracle.worths(after).values()
            winning = sum(worth > 0 for worth in worths)
            known[after] = DefenceTask(winning, len(worths), 1 + (oracle.distance(after) or 0))
    return known[after]


def _searched(search: Search, position: Position) -> dict[str, DefenceTask]:
    """Return the tasks after the slowest losses, of the answers that win without delay."""
    plies = search.distance(position) or 0
    slowest = [move for move in position.moves() if search.keeps(position, move)]
    tasks = {}
    for move in slowest:
        after = position.apply(move)
        answers = after.moves() if after.to_move != position.to_move else []
        kept = sum(search.keeps(after, answer) for answer in answers)
        tasks[move] = DefenceTask(kept, len(answers), plies)
    return tasks
