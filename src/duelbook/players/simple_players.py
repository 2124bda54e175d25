"""Simple players: random and greedy."""

from __future__ import annotations

from random import Random

from duelbook.players.information_sets import prepare_worlds, worlds
from duelbook.players.player import Player
from duelbook.position import CHANCE, Position


class RandomPlayer(Player):
    """Plays random legal moves."""

    def choose(self, view: Position, random: Random) -> str:
        """Return a random legal move."""
        return random.choice(view.moves())


class Greedy(Player):
    """Wins at once if it can; otherwise avoids moves that let the opponent win at once."""

    def prepare(self, game: type[Position]) -> None:
        """Refuse a game with secrets that has too many positions."""
        prepare_worlds(game)

    def choose(self, view: Position, random: Random) -> str:
        """Return the move with the best score for this and the next turn."""
        return random.choice(self.best(view))

    def best(self, view: Position) -> list[str]:
        """Return the moves with the best score for this and the next turn."""
        possible, me = worlds(view), view.to_move
        scores = {move: sum(_score(me, w.apply(move)) for w in possible) for move in view.moves()}
        best = max(scores.values())
        return [move for move, score in scores.items() if score == best]


def _score(me: int, after: Position) -> float:
    outcome = after.outcome()
    if outcome is not None:
        return 2 * outcome.payoffs[me] / after.largest_payoff
    if after.to_move == CHANCE:
        odds = after.odds()
        scores = (weight * _score(me, after.apply(move)) for move, weight in odds.items())
        return sum(scores) / sum(odds.values())
    wins = any(after.apply(reply).winner() == 1 - me for reply in after.moves())
    return -1 if wins and after.to_move != me else 0
