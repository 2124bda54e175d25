"""Analysis of a finished game: the value of each move, the mistakes, and who was winning."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from duelbook import secrecy
from duelbook.exact.oracle import Oracle
from duelbook.play.match import Match
from duelbook.play.names import PLAYERS
from duelbook.players.worlds import worlds
from duelbook.position import Position
from duelbook.study.wording import outcome, prospect


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
    """Judge every move by what its player could know."""
    steps = zip(match.positions, match.moves, match.positions[1:], strict=False)
    return [_judge(oracle, number, *step) for number, step in enumerate(steps, start=1)]


def _judge(oracle: Oracle, number: int, before: Position, move: str, after: Position) -> Judged:
    seat = before.to_move
    best = oracle.best_moves(before.view(seat))
    value, guaranteed = oracle.value(before), _guaranteed(oracle, before, move, after)
    mark = "best" if move in best else "good" if guaranteed >= value else "mistake"
    should = prospect(oracle, before)
    if mark == "best":
        does = should
    elif mark == "mistake" and secrecy.is_sealed(before, tuple(move.split()[:-1])):
        does = "gambles needlessly"
    elif secrecy.hidden_from_mover(before):
        does = should
    else:
        does = outcome(oracle.worth(before, move))
    came = _value_to(oracle, seat, after)
    return Judged(number, seat, move, value, came, mark, tuple(best), does, should)


def _guaranteed(oracle: Oracle, before: Position, move: str, after: Position) -> float:
    """Return the value that a move guarantees, whatever is hidden from its player."""
    seat = before.to_move
    if secrecy.hidden_from_mover(before):  # an answer guarantees its worst case
        return min(_value_to(oracle, seat, w.play(move)) for w in worlds(before.view(seat)))
    if secrecy.hidden_from_mover(after):  # so does a secret choice
        return min(_value_to(oracle, seat, after.play(reply)) for reply in after.moves())
    return _value_to(oracle, seat, after)


def _value_to(oracle: Oracle, seat: int, position: Position) -> float:
    value = oracle.value(position)
    return value if position.to_move == seat else -value


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
    return [_value_to(oracle, 0, position) for position in match.positions]


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
        "drawn": match.outcome() is not None and winner is None,
        "by_resignation": match.resigned is not None and match.lost_by == "resignation",
        "on_time": match.resigned is not None and match.lost_by == "time",
        "moves": moves,
        "value_to_player_1": curve(oracle, match),
        "accuracy": [accuracy(judged, seat) for seat in (0, 1)],
        "decided_by": decisive.number if decisive else None,
    }


def in_words(oracle: Oracle, match: Match, names: tuple[str, str] = PLAYERS) -> str:
    """Return the analysis as text."""
    judged = judge(oracle, match)
    width = max((len(move.move) for move in judged), default=0)
    longest = max(map(len, names))
    lines = [_line(move, f"{names[move.seat]:<{longest}}", width) for move in judged]
    lines += ["", "Who was winning, move by move: " + " ".join(map(_side, curve(oracle, match)))]
    lines += ["  (1 and 2 are the players, - means neither)"]
    for seat in (0, 1):
        share = accuracy(judged, seat)
        if share is not None:
            lines.append(f"{share:.0%} of {names[seat]}'s moves were not mistakes.")
    decisive = decided_by(judged, match.winner())
    if match.resigned is not None:
        standing = _value_to(oracle, match.resigned, match.position)
        stood = "a won" if standing > 0 else "a lost" if standing < 0 else "an even"
        did = "resigned" if match.lost_by == "resignation" else "ran out of time in"
        lines.append(f"{names[match.resigned]} {did} {stood} position.")
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
