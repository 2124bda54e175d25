"""A hint: the best move here, and what it achieves."""

from __future__ import annotations

from duelbook import secrecy
from duelbook.exact.oracle import Oracle
from duelbook.position import Position
from duelbook.study.wording import outcome


def hint(oracle: Oracle, view: Position) -> str:
    """Name the best move for the player to move, whose view this is, and what it achieves."""
    shares = oracle.strategy(view)
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


def _keeps(moves: list[str]) -> str:
    return "keeps" if len(moves) == 1 else "keep"


def _listed(moves: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(moves[:-1]), moves[-1]]))
