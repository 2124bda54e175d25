"""Players that look no further than the next move."""

from __future__ import annotations

from random import Random

from duelbook.players.worlds import worlds
from duelbook.position import Position


class AtRandom:
    """Plays any legal move."""

    def choose(self, view: Position, random: Random) -> str:
        """Return any legal move."""
        return random.choice(view.moves())


class Greedy:
    """Wins at once if it can, and else avoids moves that let the opponent win at once."""

    def choose(self, view: Position, random: Random) -> str:
        """Return the move with the best prospects for this and the next turn."""
        possible = worlds(view)
        hopes = {move: sum(_hope(w, w.play(move)) for w in possible) for move in view.moves()}
        best = max(hopes.values())
        return random.choice([move for move, hope in hopes.items() if hope == best])


def _hope(before: Position, after: Position) -> int:
    me, winner = before.to_move, after.winner()
    if winner is not None:
        return 2 if winner == me else -2
    wins = any(after.play(reply).winner() == 1 - me for reply in after.moves())
    return -1 if wins and after.to_move != me else 0
