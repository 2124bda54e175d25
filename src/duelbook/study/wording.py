"""Scores in words that a player understands."""

from __future__ import annotations

from duelbook.exact.oracle import TOP, Oracle
from duelbook.position import Position, count, player


def outcome(score: int) -> str:
    """Say what a score means to its player: `wins in 5 turns`, `loses in 4 turns`, `holds`."""
    if not score:
        return "holds"
    turns = count(TOP - abs(score), "turn")
    return f"{'wins' if score > 0 else 'loses'} in {turns}"


def prospect(oracle: Oracle, position: Position) -> str:
    """Say what becomes of a position under best play, for the player to move."""
    score = oracle.score(position)
    if not score and oracle.is_mixed:
        return chance(oracle.value(position))
    if not score and not oracle.is_certain:
        return "is not decided as far as can be seen"
    return outcome(score)


def standing(oracle: Oracle, position: Position) -> str:
    """Say in a sentence who is winning."""
    mover, score = player(position.to_move), oracle.score(position)
    if score:
        return f"{mover} {outcome(score)}."
    if oracle.is_mixed:
        return f"With best play {mover} wins {(1 + oracle.value(position)) / 2:.0%} of the time."
    if not oracle.is_certain:
        return "Nothing is decided as far as can be seen."
    return "Neither side can force a win."


def chance(value: float) -> str:
    """Say what a mixed value means: the share of games that are won more than lost."""
    return f"is worth {value:+.3f}"
