"""Scores in words that a player understands."""

from __future__ import annotations

from duelbook.position import BOOK, Listener, Position, count, has_scores
from duelbook.solver.oracle import TOP, Oracle


def outcome(score: int) -> str:
    """Return a score in words: `wins in 5 turns`, `loses in 4 turns`, `keeps the game even`."""
    if not score:
        return "keeps the game even"
    turns = count(TOP - abs(score), "turn")
    return f"{'wins' if score > 0 else 'loses'} in {turns}"


def prospect(oracle: Oracle, position: Position) -> str:
    """Return the result of a position under best play, for the player to move."""
    score = oracle.score(position)
    if is_about_values(oracle, position) or (not score and oracle.is_mixed):
        return expected_value(oracle.value(position))
    if not score and not oracle.is_certain:
        return "is not decided within the search depth"
    return outcome(score)


def standing(oracle: Oracle, position: Position, listener: Listener = BOOK) -> str:
    """Return a sentence that says who is winning; where chance is to move, it is about Player 1."""
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
    """Return an expected value in words: of wins less losses, or of what the game pays."""
    return f"is worth {round(value, 3) + 0.0:+.3f}"  # adding 0 turns -0 into 0


def seat_of(position: Position) -> int:
    """Return the seat whose value a position has: the one to move, or seat 0 for chance."""
    return int(position.to_move == 1)


def is_about_values(oracle: Oracle, position: Position) -> bool:
    """Whether a move is judged by what it is worth, because chance, scores or hands decide."""
    game = type(position)
    return oracle.is_mixed and (
        bool(game.CHANCE_MOVES) or has_scores(game) or oracle.has_private_information
    )
