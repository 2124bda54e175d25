"""What anyone who knows the outcome of positions can say about positions and moves."""

from __future__ import annotations

from abc import ABC, abstractmethod

from duelbook import secrecy
from duelbook.position import Position

TOP = 30_000  # the score of a game won already; each ply on the way to the end takes one off


class Oracle(ABC):
    """Knows the score of positions: TOP - plies for a win, plies - TOP for a loss, 0 for neither.

    A score is the mover's, so the largest among the moves is the fastest win or else the slowest
    loss.
    """

    @property
    def is_certain(self) -> bool:
        """Whether a score of 0 means that neither side can force an end."""
        return True

    @property
    def is_mixed(self) -> bool:
        """Whether some choices must be mixed, so that values lie between loss and win."""
        return False

    @abstractmethod
    def score(self, position: Position) -> int:
        """Return the score of a position to the player to move."""

    def value(self, position: Position) -> float:
        """Return 1 for a win, -1 for a loss, 0 if neither side can force an end; or between."""
        score = self.score(position)
        return (score > 0) - (score < 0)

    def distance(self, position: Position) -> int | None:
        """Return the plies to the end: fastest win, slowest loss; None if neither is forced."""
        score = self.score(position)
        return TOP - abs(score) if score else None

    def best_moves(self, position: Position) -> list[str]:
        """Return the moves that best play chooses among."""
        return [move for move, share in self.strategy(position).items() if share > 0]

    def strategy(self, position: Position) -> dict[str, float]:
        """Return how often best play makes each move: evenly among equals, mixed where it must."""
        worths = self.worths(position)
        best = [move for move, worth in worths.items() if worth == max(worths.values())]
        return {move: (move in best) / len(best) for move in worths}

    def worths(self, position: Position) -> dict[str, int]:
        """Return the worth of every move."""
        return {move: self.worth(position, move) for move in position.moves()}

    def worth(self, position: Position, move: str) -> int:
        """Return the score of a move to its player; of a secret one, if the opponent knew it."""
        after = position.play(move)
        if secrecy.hidden_from_mover(after):
            return min(self.later(position, after.play(reply), 2) for reply in after.moves())
        return self.later(position, after, 1)

    def later(self, position: Position, after: Position, plies: int) -> int:
        """Return the score of a position some plies later to the player to move now."""
        score = self.score(after)
        score -= plies * ((score > 0) - (score < 0))
        return score if after.to_move == position.to_move else -score
