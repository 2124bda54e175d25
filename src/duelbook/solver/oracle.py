"""The interface of solutions and searches: both know the scores of positions."""

from __future__ import annotations

from abc import ABC, abstractmethod

from duelbook import secrecy
from duelbook.position import CHANCE, Position
from duelbook.secrecy import SeatRecord

TOP = 30_000  # the score of a win in 0 plies; each ply subtracts one
VALUE_TOLERANCE = 1e-9
"""The difference below which two expected values count as equal."""


def same_side(mover: int, other: int) -> bool:
    """Return whether values with these seats to move are for one seat; chance counts as 0."""
    return (mover == 1) == (other == 1)


class Oracle(ABC):
    """Knows the score of positions: TOP - plies for a win, plies - TOP for a loss, 0 for neither.

    A score belongs to the player to move. So the move with the largest score is the fastest win or
    the slowest loss. With chance, a win or a loss counts only if every chance outcome leads to it.
    At a chance node, scores and values belong to seat 0.
    """

    @property
    def is_certain(self) -> bool:
        """Return whether a score of 0 proves that neither side can force a win."""
        return True

    @property
    def is_mixed(self) -> bool:
        """Return whether values are expectations, because of mixed strategies, chance or scores."""
        return False

    @property
    def has_private_information(self) -> bool:
        """Return whether values depend on the record of a seat, which is private information."""
        return False

    @abstractmethod
    def score(self, position: Position) -> int:
        """Return the score of a position for the player to move."""

    def value(self, position: Position) -> float:
        """Return 1 for a win, -1 for a loss, 0 if neither is forced, or an expected value."""
        score = self.score(position)
        return (score > 0) - (score < 0)

    def value_for(self, seat: int, position: Position) -> float:
        """Return the value of a position for a seat."""
        value = self.value(position)
        return value if same_side(position.to_move, seat) else 0.0 - value

    def move_values(self, position: Position) -> dict[str, float]:
        """Return the value of every move for its player, as if the opponent knew a hidden move."""
        return {move: self._move_value(position, move) for move in position.moves()}

    def _move_value(self, position: Position, move: str) -> float:
        after, mover = position.apply(move), position.to_move
        if after.to_move != CHANCE and secrecy.hidden_from_mover(after):
            return min(self.value_for(mover, after.apply(reply)) for reply in after.moves())
        return self.value_for(mover, after)

    def distance(self, position: Position) -> int | None:
        """Return the plies of the fastest win or slowest loss, or None if neither is forced."""
        score = self.score(position)
        return TOP - abs(score) if score else None

    def best_moves(self, position: Position) -> list[str]:
        """Return the moves with positive probability in best play."""
        return [move for move, share in self.strategy(position).items() if share > 0]

    def strategy(self, position: Position) -> dict[str, float]:
        """Return the probability of each move in best play; equal moves are equally likely."""
        scores = self.move_scores(position)
        candidates = set(scores)
        if self.is_mixed:  # compare values first, then the distance to the end
            values = self.move_values(position)
            candidates = {
                m for m, value in values.items() if value >= max(values.values()) - VALUE_TOLERANCE
            }
        maximum = max(scores[move] for move in candidates)
        best = [move for move in scores if move in candidates and scores[move] == maximum]
        return {move: (move in best) / len(best) for move in scores}

    def strategy_from(self, record: SeatRecord) -> dict[str, float]:
        """Return the probability of each move in best play, given the record of a seat.

        Without private information, the view determines the probabilities.
        """
        return self.strategy(record.view)

    def move_values_from(self, record: SeatRecord) -> dict[str, float]:
        """Return the value of every move, given the record of a seat."""
        return self.move_values(record.view)

    def move_scores(self, position: Position) -> dict[str, int]:
        """Return the score of every move."""
        return {move: self.move_score(position, move) for move in position.moves()}

    def move_score(self, position: Position, move: str) -> int:
        """Return the score of a move for its player, as if the opponent knew a hidden move."""
        after = position.apply(move)
        if secrecy.hidden_from_mover(after):
            return min(self.score_after(position, after.apply(reply), 2) for reply in after.moves())
        return self.score_after(position, after, 1)

    def is_optimal(self, position: Position, move: str) -> bool:
        """Return whether a move preserves the score of its position."""
        return self.move_score(position, move) >= self.score(position)

    def score_after(self, position: Position, after: Position, plies: int) -> int:
        """Return the score of a later position for the player to move now."""
        score = self.score(after)
        score -= plies * ((score > 0) - (score < 0))
        return score if same_side(after.to_move, position.to_move) else -score
