"""A hint: the best move here, and what it achieves."""

from __future__ import annotations

from duelbook import secrecy
from duelbook.exact.oracle import Oracle
from duelbook.position import Position
from duelbook.study.wording import expected_value, is_about_values, outcome

RARE = 1e-6
"""A move with a smaller probability is not named."""


def hint(oracle: Oracle, view: Position, record: secrecy.Record | None = None) -> str:
    """Name the best move for the player to move, whose view this is, and what it achieves.

    Where a secret lasts, the record of what the player has seen and heard makes it exact.
    """
    shares = oracle.strategy_from(record) if record else oracle.strategy(view)
    if is_about_values(oracle, view):
        return _by_value(shares, oracle.move_values_from(record or secrecy.Record(0, view)))
    return _by_score(oracle, view, shares)


def _by_score(oracle: Oracle, view: Position, shares: dict[str, float]) -> str:
    """Say how soon a move wins or loses, or that it keeps the game even."""
    best = [move for move, share in shares.items() if share > 0]
    score, move = oracle.score(view), best[0]
    if score > 0:
        return f"{move} {outcome(score)}."
    if score < 0:
        return f"{move} resists longest, but it {outcome(score)}."
    if oracle.is_mixed and len(best) > 1:
        mixed = ", ".join(f"{move} {shares[move]:.0%}" for move in best)
        return f"No one move is best: mix {mixed}."
    if not oracle.is_certain:
        return f"{move} looks best, but nothing is decided within the search depth."
    if not secrecy.hidden_from_mover(view):
        others = [worth for other, worth in oracle.worths(view).items() if other not in best]
        if others and max(others) < 0:
            return f"{_listed(best)} {_keeps(best)} the game even; everything else loses."
    return f"{_listed(best)} {_keeps(best)} the game even."


def _by_value(shares: dict[str, float], values: dict[str, float]) -> str:
    """Say how often to make each move, and what the moves are worth."""
    likely = {move: share for move, share in shares.items() if share >= RARE}
    first = max(likely, key=lambda move: likely[move])
    if len(likely) > 1 and max(likely.values()) < min(likely.values()) + RARE:
        even = _listed(list(likely))
        if len({round(values[move], 6) for move in likely}) == 1 and len(likely) == len(shares):
            return f"Every move {expected_value(values[first])}."
        return f"{even} are equally good: each {expected_value(values[first])}."
    if len(likely) > 1:
        mixed = ", ".join(f"{move} {share:.0%}" for move, share in likely.items())
        return f"No one move is best: mix {mixed}. That {expected_value(values[first])}."
    others = {move: value for move, value in values.items() if move != first}
    if not others:
        return f"{first} is the only move; it {expected_value(values[first])}."
    second = max(others, key=lambda move: others[move])
    if others[second] > values[first] - RARE:
        return f"{first} {expected_value(values[first])}."
    return f"{first} {expected_value(values[first])}; {second} {expected_value(others[second])}."


def _keeps(moves: list[str]) -> str:
    return "keeps" if len(moves) == 1 else "keep"


def _listed(moves: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(moves[:-1]), moves[-1]]))
