"""Scores in words that a player understands."""

from __future__ import annotations

from duelbook.exact.oracle import TOP, Oracle
from duelbook.position import Position, count, player


def outcome(score: int) -> str:
    """Return a score in words: `wins in 5 turns`, `loses in 4 turns`, `keeps the game even`."""
    if not score:
        return "keeps the game even"
    turns = count(TOP - abs(score), "turn")
    return f"{'wins' if score > 0 else 'loses'} in {turns}"


def prospect(oracle: Oracle, position: Position) -> str:
    """Return the result of a position under best play, for the player to move."""
    score = oracle.score(position)
    if not score and oracle.is_mixed:
        return expected_value(oracle.value(position))
    if not score and not oracle.is_certain:
        return "is not decided within the search depth"
    return outcome(score)


def standing(oracle: Oracle, position: Position) -> str:
    """Return a sentence that says who is winning."""
    mover, score = player(position.to_move), oracle.score(position)
    if score:
        return f"{mover} {outcome(score)}."
    if oracle.is_mixed:
        return f"With best play {mover} wins {(1 + oracle.value(position)) / 2:.0%} of the time."
    if not oracle.is_certain:
        return "Neither side has a forced win within the search depth."
    return "Neither side can force a win."


def expected_value(value: float) -> str:
    """Return an expected value in words: the probability of a win less that of a loss."""
    return f"is worth {value:+.3f}"
