"""Minimax: a player that searches a given number of plies ahead."""

from __future__ import annotations

from random import Random

from duelbook.players.information_sets import prepare_worlds, worlds
from duelbook.players.player import Player
from duelbook.position import CHANCE, Position

WIN = 1000


class Minimax(Player):
    """Searches to a fixed depth; averages over hidden information and chance outcomes."""

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def prepare(self, game: type[Position]) -> None:
        """Refuse a game with secrets that has too many positions."""
        prepare_worlds(game)

    def choose(self, view: Position, random: Random) -> str:
        """Return a move with the best average score over the possible positions."""
        return random.choice(self.best(view))

    def best(self, view: Position) -> list[str]:
        """Return the moves with the best average score."""
        possible = worlds(view)
        scores = {
            move: sum(
                self._value_after(world, move, self.depth - 1, -WIN, WIN) for world in possible
            )
            for move in view.moves()
        }
        best = max(scores.values())
        return [move for move, score in scores.items() if score == best]

    def _value_after(
        self, position: Position, move: str, depth: int, low: float, high: float
    ) -> float:
        """Return the score of a move for its player; an earlier win scores more.

        Each ply costs 1 point, but at most half of the score, so that a small gain stays a gain.
        """
        after, mover = position.apply(move), position.to_move
        if after.to_move == CHANCE and after.outcome() is None:
            value = self._expected(after, mover, depth)
        elif after.to_move == mover:
            value = self._value(after, depth, low, high)
        else:
            value = -self._value(after, depth, -high, -low)
        return value - max(-1, min(1, value / 2))

    def _expected(self, position: Position, seat: int, depth: int) -> float:
        """Return the mean score for a seat over chance outcomes, which cost no depth."""
        odds, total = position.odds(), 0.0
        for move, weight in odds.items():
            after = position.apply(move)
            if after.to_move == CHANCE and after.outcome() is None:
                total += weight * self._expected(after, seat, depth)
            else:
                sign = 1 if after.to_move == seat else -1
                total += weight * sign * self._value(after, depth, -WIN, WIN)
        return total / sum(odds.values())

    def _value(self, position: Position, depth: int, low: float, high: float) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return WIN * outcome.payoffs[int(position.to_move == 1)] / position.largest_payoff
        if depth <= 0:
            return 0
        best: float = -WIN
        for move in position.moves():
            best = max(best, self._value_after(position, move, depth - 1, max(low, best), high))
            if best >= high:
                break
        return best
