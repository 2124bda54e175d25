"""Texts of scores, values and positions for players."""

from __future__ import annotations

from duelbook.position import BOOK, Listener, Position, count, has_scores
from duelbook.solver.oracle import TOP, Oracle


def describe_score(score: int) -> str:
    """Return the text of a score: `wins in 5 turns`, `loses in 4 turns`, `leaves no forced win`."""
    if not score:
        return "leaves no forced win"
    turns = count(TOP - abs(score), "turn")
    return f"{'wins' if score > 0 else 'loses'} in {turns}"


def describe_prospect(oracle: Oracle, position: Position) -> str:
    """Return the result of a position under best play, for the player to move."""
    score = oracle.score(position)
    if is_about_values(oracle, position) or (not score and oracle.is_mixed):
        return expected_value(oracle.value(position))
    if not score and not oracle.is_certain:
        return "is not decided within the search depth"
    return describe_score(score)


def describe_evaluation(oracle: Oracle, position: Position, listener: Listener = BOOK) -> str:
    """Return a sentence about the winning side; at a chance node it is about Player 1."""
    seat = seat_of(position)
    mover, score = listener.who(seat), oracle.score(position)
    if has_scores(type(position)):
        return f"With best play {mover} can expect {oracle.value_for(seat, position):+.2f}."
    if score:
        turns = count(TOP - abs(score), "turn")
        return f"{mover.opens('win' if score > 0 else 'lose')} in {turns}."
    if oracle.is_mixed:
        share = (1 + oracle.value_for(seat, position)) / 2
        return f"With best play {mover.does('win')} {share:.0%} of the time."
    if not oracle.is_certain:
        return "Neither side has a forced win within the search depth."
    return "Neither side can force a win."


def expected_value(value: float) -> str:
    """Return the text of an expected value, which is wins minus losses or the payoff."""
    return f"is worth {round(value, 3) + 0.0:+.3f}"  # adding 0 turns -0 into 0


def seat_of(position: Position) -> int:
    """Return the seat of a position's value: the seat to move, or 0 at a chance node."""
    return int(position.to_move == 1)


def is_about_values(oracle: Oracle, position: Position) -> bool:
    """Return whether moves have expected values: with chance, scores or private information."""
    game = type(position)
    return oracle.is_mixed and (
        bool(game.CHANCE_MOVES) or has_scores(game) or oracle.has_private_information
    )
