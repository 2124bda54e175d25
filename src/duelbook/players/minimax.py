"""Minimax: a player that searches a given number of plies ahead."""

from __future__ import annotations

from random import Random

from duelbook.players.worlds import worlds
from duelbook.position import Position

WIN = 1000


class Minimax:
    """Searches to a fixed depth, and averages over all positions of its information set."""

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def choose(self, view: Position, random: Random) -> str:
        """Return a move with the best average score over the possible positions."""
        possible = worlds(view)
        scores = {
            move: sum(self._later(world, move, self.depth - 1, -WIN, WIN) for world in possible)
            for move in view.moves()
        }
        best = max(scores.values())
        return random.choice([move for move, score in scores.items() if score == best])

    def _later(self, position: Position, move: str, depth: int, low: int, high: int) -> int:
        """Return the score of a move for its player; an earlier win scores more."""
        after = position.play(move)
        if after.to_move == position.to_move:
            worth = self._worth(after, depth, low, high)
        else:
            worth = -self._worth(after, depth, -high, -low)
        return worth - (worth > 0) + (worth < 0)

    def _worth(self, position: Position, depth: int, low: int, high: int) -> int:
        outcome = position.outcome()
        if outcome is not None:
            return int(WIN * outcome.payoffs[position.to_move])
        if depth <= 0:
            return 0
        best = -WIN
        for move in position.moves():
            best = max(best, self._later(position, move, depth - 1, max(low, best), high))
            if best >= high:
                break
        return best
