"""Simple players: random and greedy."""

from __future__ import annotations

from random import Random

from duelbook.players.worlds import worlds
from duelbook.position import Position


class AtRandom:
    """Plays random legal moves."""

    def choose(self, view: Position, random: Random) -> str:
        """Return a random legal move."""
        return random.choice(view.moves())


class Greedy:
    """Wins at once if it can; otherwise avoids moves that let the opponent win at once."""

    def choose(self, view: Position, random: Random) -> str:
        """Return the move with the best score for this and the next turn."""
        possible = worlds(view)
        scores = {move: sum(_score(w, w.play(move)) for w in possible) for move in view.moves()}
        best = max(scores.values())
        return random.choice([move for move, score in scores.items() if score == best])


def _score(before: Position, after: Position) -> int:
    me, outcome = before.to_move, after.outcome()
    if outcome is not None:
        payoff = outcome.payoffs[me]
        return 2 * ((payoff > 0) - (payoff < 0))
    wins = any(after.play(reply).winner() == 1 - me for reply in after.moves())
    return -1 if wins and after.to_move != me else 0
