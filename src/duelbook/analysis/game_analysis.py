"""Analysis of a game: the value of each move, the mistakes, and the value over time."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from duelbook import secrecy
from duelbook.analysis.score_texts import (
    describe_prospect,
    describe_score,
    expected_value,
    is_about_values,
)
from duelbook.analysis.verdict import ROUNDING_TOLERANCE
from duelbook.play.match import LostBy, Match
from duelbook.play.names import PLAYERS
from duelbook.play.playthrough import Playthrough
from duelbook.players.information_sets import worlds
from duelbook.position import CHANCE, Position, player
from duelbook.secrecy import SeatRecord
from duelbook.solver.oracle import VALUE_TOLERANCE, Oracle

ALWAYS_SHARE = 0.995
"""The share above which the percentage would read 100 %."""
RESIGNED_VERBS: dict[LostBy, str] = {
    "resignation": "resigned",
    "time": "ran out of time in",
    "left": "left the game in",
}


@dataclass(frozen=True)
class JudgedMove:
    """A move of a game, with its player's value before and after it.

    Values are 1 for a win and -1 for a loss. The judgement of a hidden choice depends only on what
    its player could know, so a needless gamble is a mistake even if it succeeds.
    """

    number: int
    seat: int
    move: str
    before: float
    after: float
    mark: str
    best: tuple[str, ...]
    does: str
    """The result of the move against best play, in words."""
    should: str
    """The result of the best moves, in words."""


def judge(oracle: Oracle, match: Match) -> list[JudgedMove]:
    """Judge every move of a player by what that player could know."""
    steps = zip(match.positions, match.moves, match.positions[1:], strict=False)
    if not is_about_values(oracle, match.position):
        return [_judge(oracle, number, *step) for number, step in enumerate(steps, start=1)]
    playthrough, judged = Playthrough(match.positions[0]), list[JudgedMove]()
    for number, (before, move, after) in enumerate(steps, start=1):
        if before.to_move != CHANCE:
            record = playthrough.record(before.to_move)
            value_after = oracle.value_for(before.to_move, after)
            judged.append(_judge_by_value(oracle, number, record, move, value_after))
        playthrough.play(move)
    return judged


def _judge_by_value(
    oracle: Oracle, number: int, record: SeatRecord, move: str, value_after: float
) -> JudgedMove:
    """Judge a move by its expected value, given the record of its player."""
    shares, values = oracle.strategy_from(record), oracle.move_values_from(record)
    best = tuple(other for other, share in shares.items() if share > VALUE_TOLERANCE)
    value = sum(share * values[other] for other, share in shares.items())
    mark = (
        "best"
        if move in best
        else "good"
        if values[move] >= value - ROUNDING_TOLERANCE
        else "mistake"
    )
    does, should = expected_value(values[move]), expected_value(value)
    if mark == "best" and shares[move] < ALWAYS_SHARE and secrecy.keeps_secrets(type(record.view)):
        does = f"{does}; best play does this {shares[move]:.0%} of the time"
    return JudgedMove(number, record.seat, move, value, value_after, mark, best, does, should)


def _judge(oracle: Oracle, number: int, before: Position, move: str, after: Position) -> JudgedMove:
    seat = before.to_move
    best = oracle.best_moves(before.view(seat))
    value, guaranteed = oracle.value(before), _guaranteed(oracle, before, move, after)
    mark = "best" if move in best else "good" if guaranteed >= value else "mistake"
    should = describe_prospect(oracle, before)
    if mark == "best":
        does = should
    elif mark == "mistake" and secrecy.is_hidden_choice(before, tuple(move.split()[:-1])):
        does = "gambles needlessly"
    elif secrecy.hidden_from_mover(before):
        does = should
    else:
        does = describe_score(oracle.move_score(before, move))
    value_after = oracle.value_for(seat, after)
    return JudgedMove(number, seat, move, value, value_after, mark, tuple(best), does, should)


def _guaranteed(oracle: Oracle, before: Position, move: str, after: Position) -> float:
    """Return the value that a move guarantees against all hidden information."""
    seat = before.to_move
    if secrecy.hidden_from_mover(before):  # an answer guarantees its worst case
        return min(oracle.value_for(seat, w.apply(move)) for w in worlds(before.view(seat)))
    if secrecy.hidden_from_mover(after):  # so does a hidden choice
        return min(oracle.value_for(seat, after.apply(reply)) for reply in after.moves())
    return oracle.value_for(seat, after)


def accuracy(judged: list[JudgedMove], seat: int) -> float | None:
    """Return the share of a player's moves that were not mistakes, or None without moves."""
    moves = [move for move in judged if move.seat == seat]
    return sum(move.mark != "mistake" for move in moves) / len(moves) if moves else None


def decided_by(judged: list[JudgedMove], winner: int | None) -> JudgedMove | None:
    """Return the loser's last mistake, which decided the game, or None."""
    mistakes = [move for move in judged if move.mark == "mistake" and move.seat != winner]
    return mistakes[-1] if winner is not None and mistakes else None


def curve(oracle: Oracle, match: Match) -> list[float]:
    """Return Player 1's value before each move and at the end, from -1 to 1."""
    return [oracle.value_for(0, position) for position in match.positions]


def as_data(oracle: Oracle, match: Match) -> dict[str, Any]:
    """Return the analysis as JSON values; players are numbered from 1."""
    judged = judge(oracle, match)
    moves = [asdict(move) | {"player": move.seat + 1, "best": list(move.best)} for move in judged]
    for move in moves:
        del move["seat"]
    winner = match.winner()
    decisive = decided_by(judged, winner) if match.resigned is None else None
    return {
        "game": match.position.slug,
        "winner": None if winner is None else winner + 1,
        "drawn": match.outcome() is not None and winner is None and match.drawn_by != "aborted",
        "aborted": match.drawn_by == "aborted",
        "by_resignation": match.resigned is not None and match.lost_by == "resignation",
        "on_time": match.resigned is not None and match.lost_by == "time",
        "by_leaving": match.resigned is not None and match.lost_by == "left",
        "moves": moves,
        "value_to_player_1": curve(oracle, match),
        "accuracy": [accuracy(judged, seat) for seat in (0, 1)],
        "decided_by": decisive.number if decisive else None,
    }


def as_text(oracle: Oracle, match: Match, names: tuple[str, str] = PLAYERS) -> str:
    """Return the analysis as text."""
    judged = judge(oracle, match)
    width = max(map(len, match.moves), default=0)
    chance = [player(CHANCE)] if len(judged) < len(match.moves) else []
    longest = max(map(len, [*names, *chance]))
    by_number = {move.number: move for move in judged}
    lines = []
    for number, chance_move in enumerate(match.moves, start=1):
        if number in by_number:
            move = by_number[number]
            lines.append(_line(move, f"{names[move.seat]:<{longest}}", width))
        else:
            lines.append(f"{number:>3}. {player(CHANCE):<{longest}}  {chance_move}")
    lines += ["", "Who was winning, move by move: " + " ".join(map(_side, curve(oracle, match)))]
    lines += ["  (1 and 2 are the players, - means neither)"]
    for seat in (0, 1):
        share = accuracy(judged, seat)
        if share is not None:
            lines.append(f"{share:.0%} of {names[seat]}'s moves were not mistakes.")
    decisive = decided_by(judged, match.winner())
    if match.resigned is not None:
        value = oracle.value_for(match.resigned, match.position)
        position = "a won" if value > 0 else "a lost" if value < 0 else "an equal"
        lines.append(
            f"{names[match.resigned]} {RESIGNED_VERBS[match.lost_by]} {position} position."
        )
    elif match.drawn_by == "aborted":
        lines.append("The game was aborted.")
    elif match.outcome() is not None and match.winner() is None:
        lines.append("The game was a draw.")
    elif decisive:
        lines.append(
            f"Move {decisive.number} decided the game: {names[decisive.seat]} played "
            f"{decisive.move} instead of {_choices(decisive.best)}."
        )
    return "\n".join(lines)


def _line(move: JudgedMove, name: str, width: int) -> str:
    text = f"{move.number:>3}. {name}  {move.move:<{width}}  {move.mark:<7}"
    if move.mark == "best":
        return f"{text}  {move.does}"
    return f"{text}  {move.does}; best: {_choices(move.best)}, which {move.should}"


def _choices(moves: tuple[str, ...]) -> str:
    return " or ".join(moves[:3]) + (" …" if len(moves) > 3 else "")


def _side(value: float) -> str:
    return "1" if value > 0 else "2" if value < 0 else "-"
