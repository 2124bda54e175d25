"""A hint: the best move in a position, and its result."""

from __future__ import annotations

from dataclasses import dataclass

from duelbook import secrecy
from duelbook.analysis.lost_positions import DefenceTask, hardest_task
from duelbook.analysis.score_texts import describe_score, expected_value, is_about_values
from duelbook.position import Position, count
from duelbook.solver.oracle import Oracle

MIN_PROBABILITY = 1e-6
"""The minimum probability of a move that a hint names."""
LOST = "Every move loses against best play"


@dataclass(frozen=True)
class MoveHint:
    """A move, the reason for it, and whether every move loses against best play."""

    move: str
    """The best move, or the likeliest move of a mixed strategy."""
    text: str
    lost: bool = False


def hint(oracle: Oracle, view: Position, record: secrecy.SeatRecord | None = None) -> MoveHint:
    """Return the best move for the player to move, given the player's view, and its result.

    In a game with private information, the hint is exact only with the player's record. In a lost
    position, the hint is the move that sets the opponent the hardest task; see `lost_positions`.
    """
    shares = oracle.strategy_from(record) if record else oracle.strategy(view)
    if is_about_values(oracle, view):
        values = oracle.move_values_from(record) if record else oracle.move_values(view)
        return _by_value(shares, values, type(view).largest_payoff)
    if oracle.score(view) < 0:
        return _lost(oracle, view, _likeliest(shares))
    return MoveHint(_likeliest(shares), _by_score(oracle, view, shares))


def _lost(oracle: Oracle, view: Position, slowest: str) -> MoveHint:
    """Return the move that sets the hardest task, or with secrets the move that resists longest."""
    if secrecy.keeps_secrets(type(view)):
        return MoveHint(slowest, f"{LOST}. {_resists(slowest, oracle.score(view))}.", lost=True)
    move, task = hardest_task(oracle, view)
    if len(view.moves()) == 1:
        return MoveHint(
            move, f"{move} is the only move, and it {describe_score(task.score)}.", lost=True
        )
    return MoveHint(move, f"{LOST}. {_describe_task(move, task, oracle.is_certain)}.", lost=True)


def _describe_task(move: str, task: DefenceTask, is_certain: bool) -> str:
    """Return a text about the opponent's task: how many of the answers win.

    A search knows only which answers win as fast as possible, so it counts only these.
    """
    if task.winning == task.answers:
        return _resists(move, task.score)
    only = "only " if 2 * task.winning <= task.answers else ""
    if is_certain:
        winning = count(task.winning, "winning answer")
        return f"{move} leaves the opponent {only}{winning} of {task.answers}"
    wins = "wins" if task.winning == 1 else "win"
    fast = f"{only}{task.winning} of {task.answers} answers {wins} that fast"
    return f"{move} resists longest, {count(task.plies, 'turn')}, and {fast}"


def _resists(move: str, score: int) -> str:
    return f"{move} resists longest, but it {describe_score(score)}"


def _by_score(oracle: Oracle, view: Position, shares: dict[str, float]) -> str:
    """Return a text about the best moves: the turns to a win, or that they avoid a loss."""
    best = [move for move, share in shares.items() if share > 0]
    score, move = oracle.score(view), best[0]
    if score > 0:
        return f"{move} {describe_score(score)}."
    if oracle.is_mixed and len(best) > 1:
        mixed = ", ".join(f"{move} {shares[move]:.0%}" for move in best)
        return f"No one move is best: mix {mixed}."
    if not oracle.is_certain:
        return f"{move} looks best, but nothing is decided within the search depth."
    if not secrecy.hidden_from_mover(view):
        others = [score for other, score in oracle.move_scores(view).items() if other not in best]
        if others and max(others) < 0:
            return f"Only {_join(best)} {_avoid(best)} a loss."
    return f"{_join(best)} {_avoid(best)} a loss."


def _by_value(
    shares: dict[str, float], values: dict[str, float], largest_payoff: float
) -> MoveHint:
    """Return the likeliest move, the probability of each move, and their values."""
    likely = {move: share for move, share in shares.items() if share >= MIN_PROBABILITY}
    first = _likeliest(likely)
    lost = max(values.values()) <= MIN_PROBABILITY - largest_payoff
    return MoveHint(first, _describe_values(first, likely, values), lost)


def _describe_values(first: str, likely: dict[str, float], values: dict[str, float]) -> str:
    """Return the text of the probabilities and the values of moves."""
    if len(likely) > 1 and max(likely.values()) < min(likely.values()) + MIN_PROBABILITY:
        equal = _join(list(likely))
        if len({round(values[move], 6) for move in likely}) == 1 and len(likely) == len(values):
            return f"Every move {expected_value(values[first])}."
        return f"{equal} are equally good: each {expected_value(values[first])}."
    if len(likely) > 1:
        mixed = ", ".join(f"{move} {share:.0%}" for move, share in likely.items())
        return f"No one move is best: mix {mixed}. That {expected_value(values[first])}."
    others = {move: value for move, value in values.items() if move != first}
    if not others:
        return f"{first} is the only move; it {expected_value(values[first])}."
    second = max(others, key=lambda move: others[move])
    if others[second] > values[first] - MIN_PROBABILITY:
        return f"{first} {expected_value(values[first])}."
    return f"{first} {expected_value(values[first])}; {second} {expected_value(others[second])}."


def _likeliest(shares: dict[str, float]) -> str:
    return max(shares, key=lambda move: shares[move])


def _avoid(moves: list[str]) -> str:
    return "avoids" if len(moves) == 1 else "avoid"


def _join(moves: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(moves[:-1]), moves[-1]]))
