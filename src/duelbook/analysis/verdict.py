"""The verdict on a game: the winner, the value of each first move, and a line of best play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from duelbook.analysis.hint import MIN_PROBABILITY
from duelbook.analysis.score_texts import describe_score, expected_value, is_about_values, seat_of
from duelbook.play.match import Match
from duelbook.position import CHANCE, Position, count, player
from duelbook.secrecy import keeps_secrets
from duelbook.solver.oracle import Oracle

MAX_LINE_MOVES = 40
MAX_FIRST_CHOICES, MAX_CHANCE_PATHS = 40, 2000
ROUNDING_TOLERANCE = 1e-8
"""The rounding error of a linear program."""


@dataclass(frozen=True)
class Opening:
    """A first move, and its score or value for the player who makes it."""

    move: str
    text: str
    score: float
    best: bool


def openings(oracle: Oracle, start: Position) -> list[Opening]:
    """Return every first move, best moves first."""
    shares = oracle.strategy(start)
    listed = []
    values = oracle.move_values(start) if is_about_values(oracle, start) and shares else {}
    for move, share in shares.items():
        score = 0.0 + (values[move] if values else oracle.move_score(start, move))
        if values and not keeps_secrets(type(start)):
            text = expected_value(values[move])
        else:
            text = f"{share:.0%} of the time" if oracle.is_mixed else describe_score(int(score))
        listed.append(Opening(move, text, score, share > 0))
    return sorted(listed, key=lambda opening: (not opening.best, -opening.score))


def first_choices(start: Position) -> list[tuple[str, Position]]:
    """Return the first decisions of a game that starts with chance: the moves seen, and the view.

    The list has each view once, and at most `MAX_FIRST_CHOICES` views.
    """
    seen_before: dict[Position, str] = {}
    todo = [Match((start,))]
    for match in todo:
        position = match.position
        if position.to_move == CHANCE:
            todo += [match.play(move) for move in position.moves()]
        elif position.moves() and len(seen_before) < MAX_FIRST_CHOICES:
            seen = ", ".join(match.seen_by(position.to_move))
            seen_before.setdefault(position.view(position.to_move), seen)
        if len(seen_before) == MAX_FIRST_CHOICES or len(todo) > MAX_CHANCE_PATHS:
            break
    return [(seen, view) for view, seen in seen_before.items()]


def best_line(oracle: Oracle, start: Position) -> list[tuple[Position, str]]:
    """Return a game with best play on both sides, up to `MAX_LINE_MOVES` moves.

    The game has the likeliest chance outcomes and the likeliest moves of mixed strategies.
    """
    line: list[tuple[Position, str]] = []
    position = start
    while position.moves() and len(line) < MAX_LINE_MOVES:
        is_chance = position.to_move == CHANCE
        odds: Mapping[str, float] = position.odds() if is_chance else oracle.strategy(position)
        listed = reversed(list(odds)) if is_chance else odds
        move = max(listed, key=lambda move: odds[move])
        line.append((position, move))
        position = position.apply(move)
    return line


def verdict(oracle: Oracle, start: Position, *, undecided: str = "the game never ends") -> str:
    """Return a sentence about the result of best play."""
    seat = seat_of(start)
    value, score = oracle.value_for(seat, start), oracle.score(start)
    first, second = player(seat), player(1 - seat)
    if is_about_values(oracle, start):
        begins = "" if start.to_move == CHANCE else ", who moves first"
        exact = f"is worth {round(value, 4) + 0.0:+.4f}"
        return f"With best play the game {exact} to {first}{begins}."
    if score:
        winner, turns = (first if score > 0 else second), oracle.distance(start) or 0
        return f"With best play {winner} wins in {count(turns, 'turn')}; {first} moves first."
    if oracle.is_mixed:
        return f"With best play the game {expected_value(value)} to {first}, who moves first."
    line = best_line(oracle, start)
    if line and line[-1][0].apply(line[-1][1]).outcome():
        undecided = "the game is a draw"
    return f"With best play {undecided}: neither {first} nor {second} can force a win."


def full_verdict(oracle: Oracle, start: Position) -> str:
    """Return the verdict, the table of first moves and a line of best play as text."""
    line = best_line(oracle, start)
    played = [f"{player(position.to_move)}: {move}" for position, move in line]
    ellipsis = ["…"] if len(line) == MAX_LINE_MOVES else []
    example = " (with the likeliest chance outcomes)" if type(start).CHANCE_MOVES else ""
    return "\n".join(
        [
            verdict(oracle, start) + _exactness(oracle),
            *(
                _first_decisions(oracle, start)
                if start.to_move == CHANCE
                else _first_moves(oracle, start)
            ),
            f"\nA line of best play{example}:",
            *(f"  {step}" for step in [*played, *ellipsis]),
        ]
    )


def _exactness(oracle: Oracle) -> str:
    """Return a sentence about the error of expected values; empty for exact values."""
    error: float = getattr(oracle, "value_error", 0.0)  # a search has no values
    if oracle.has_private_information and error > ROUNDING_TOLERANCE:
        return f"\nThis is not exact: the strategies are exploitable by {error:.1g}."
    if error > 0:
        return f"\nThe computation proves the values to within {error:.0e}."
    return ""


def _first_moves(oracle: Oracle, start: Position) -> list[str]:
    listed = openings(oracle, start)
    width = max((len(opening.move) for opening in listed), default=0)
    return [
        "\nFirst moves, and the result of each for the player who makes it:",
        *(
            f"  {opening.move:<{width}}  {opening.text}{'  best' if opening.best else ''}"
            for opening in listed
        ),
    ]


def after_chance(oracle: Oracle, start: Position) -> list[tuple[str, str]]:
    """Return best play at the first decisions, each with the chance outcomes seen so far."""
    rows = []
    for seen, view in first_choices(start):
        shares = oracle.strategy(view)
        mixed = ", ".join(
            f"{move} {share:.0%}" for move, share in shares.items() if share > MIN_PROBABILITY
        )
        rows.append((seen, f"{mixed}; {expected_value(oracle.value(view))}"))
    return rows


def _first_decisions(oracle: Oracle, start: Position) -> list[str]:
    listed = after_chance(oracle, start)
    width = max((len(seen) for seen, _ in listed), default=0)
    lines = [f"  {seen:<{width}}  {play}" for seen, play in listed]
    return ["\nFirst moves, by what the player has seen:", *lines]
