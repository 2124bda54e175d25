"""Analysis of a finished game: the value of each move, the mistakes, and who was winning."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from duelbook import secrecy
from duelbook.analysis.verdict import ROUNDED
from duelbook.analysis.wording import expected_value, is_about_values, outcome, prospect
from duelbook.play.match import LostBy, Match
from duelbook.play.names import PLAYERS
from duelbook.play.playthrough import Playthrough
from duelbook.players.information_sets import worlds
from duelbook.position import CHANCE, Position, player
from duelbook.secrecy import SeatRecord
from duelbook.solver.oracle import VALUE_TOLERANCE, Oracle

ALWAYS = 0.995
DID: dict[LostBy, str] = {
    "resignation": "resigned",
    "time": "ran out of time in",
    "left": "left the game in",
}
"""A share that is printed as 100 %."""


@dataclass(frozen=True)
class Judged:
    """A move of a game, with its player's value before and after it.

    Values are 1 for a win and -1 for a loss. A secret choice is judged by what its player could
    know, so a needless gamble is a mistake even if it succeeded.
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


def judge(oracle: Oracle, match: Match) -> list[Judged]:
    """Judge every move of a player by what that player could know; chance makes no mistakes."""
    steps = zip(match.positions, match.moves, match.positions[1:], strict=False)
    if not is_about_values(oracle, match.position):
        return [_judge(oracle, number, *step) for number, step in enumerate(steps, start=1)]
    playthrough, judged = Playthrough(match.positions[0]), list[Judged]()
    for number, (before, move, after) in enumerate(steps, start=1):
        if before.to_move != CHANCE:
            record = playthrough.record(before.to_move)
            came = oracle.value_for(before.to_move, after)
            judged.append(_judge_by_value(oracle, number, record, move, came))
        playthrough.play(move)
    return judged


def _judge_by_value(
    oracle: Oracle, number: int, record: SeatRecord, move: str, came: float
) -> Judged:
    """Judge a move by what it was worth to a player who knew this record."""
    shares, values = oracle.strategy_from(record), oracle.move_values_from(record)
    best = tuple(one for one, share in shares.items() if share > VALUE_TOLERANCE)
    value = sum(share * values[one] for one, share in shares.items())
    mark = "best" if move in best else "good" if values[move] >= value - ROUNDED else "mistake"
    does, should = expected_value(values[move]), expected_value(value)
    if mark == "best" and shares[move] < ALWAYS and secrecy.keeps_secrets(type(record.view)):
        does = f"{does}; best play does this {shares[move]:.0%} of the time"
    return Judged(number, record.seat, move, value, came, mark, best, does, should)


def _judge(oracle: Oracle, number: int, before: Position, move: str, after: Position) -> Judged:
    seat = before.to_move
    best = oracle.best_moves(before.view(seat))
    value, guaranteed = oracle.value(before), _guaranteed(oracle, before, move, after)
    mark = "best" if move in best else "good" if guaranteed >= value else "mistake"
    should = prospect(oracle, before)
    if mark == "best":
        does = should
    elif mark == "mistake" and secrecy.is_hidden_choice(before, tuple(move.split()[:-1])):
        does = "gambles needlessly"
    elif secrecy.hidden_from_mover(before):
        does = should
    else:
        does = outcome(oracle.worth(before, move))
    came = oracle.value_for(seat, after)
    return Judged(number, seat, move, value, came, mark, tuple(best), does, should)


def _guaranteed(oracle: Oracle, before: Position, move: str, after: Position) -> float:
    """Return the value that a move guarantees, whatever is hidden from its player."""
    seat = before.to_move
    if secrecy.hidden_from_mover(before):  # an answer guarantees its worst case
        return min(oracle.value_for(seat, w.apply(move)) for w in worlds(before.view(seat)))
    if secrecy.hidden_from_mover(after):  # so does a secret choice
        return min(oracle.value_for(seat, after.apply(reply)) for reply in after.moves())
    return oracle.value_for(seat, after)


def accuracy(judged: list[Judged], seat: int) -> float | None:
    """Return the share of a player's moves that were not mistakes, or None without moves."""
    mine = [move for move in judged if move.seat == seat]
    return sum(move.mark != "mistake" for move in mine) / len(mine) if mine else None


def decided_by(judged: list[Judged], winner: int | None) -> Judged | None:
    """Return the loser's last mistake, after which the game was lost for good."""
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


def in_words(oracle: Oracle, match: Match, names: tuple[str, str] = PLAYERS) -> str:
    """Return the analysis as text."""
    judged = judge(oracle, match)
    width = max(map(len, match.moves), default=0)
    chance = [player(CHANCE)] if len(judged) < len(match.moves) else []
    longest = max(map(len, [*names, *chance]))
    by_number = {move.number: move for move in judged}
    lines = []
    for number, fallen in enumerate(match.moves, start=1):
        if number in by_number:
            move = by_number[number]
            lines.append(_line(move, f"{names[move.seat]:<{longest}}", width))
        else:
            lines.append(f"{number:>3}. {player(CHANCE):<{longest}}  {fallen}")
    lines += ["", "Who was winning, move by move: " + " ".join(map(_side, curve(oracle, match)))]
    lines += ["  (1 and 2 are the players, - means neither)"]
    for seat in (0, 1):
        share = accuracy(judged, seat)
        if share is not None:
            lines.append(f"{share:.0%} of {names[seat]}'s moves were not mistakes.")
    decisive = decided_by(judged, match.winner())
    if match.resigned is not None:
        standing = oracle.value_for(match.resigned, match.position)
        stood = "a won" if standing > 0 else "a lost" if standing < 0 else "an even"
        lines.append(f"{names[match.resigned]} {DID[match.lost_by]} {stood} position.")
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


def _line(move: Judged, name: str, width: int) -> str:
    said = f"{move.number:>3}. {name}  {move.move:<{width}}  {move.mark:<7}"
    if move.mark == "best":
        return f"{said}  {move.does}"
    return f"{said}  {move.does}; best: {_choices(move.best)}, which {move.should}"


def _choices(moves: tuple[str, ...]) -> str:
    return " or ".join(moves[:3]) + (" …" if len(moves) > 3 else "")


def _side(value: float) -> str:
    return "1" if value > 0 else "2" if value < 0 else "-"
