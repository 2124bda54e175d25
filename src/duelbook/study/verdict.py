"""The verdict on a game: who wins it, what each first move is worth, and a line of best play."""

from __future__ import annotations

from dataclasses import dataclass

from duelbook.exact.oracle import Oracle
from duelbook.position import Position, count, player
from duelbook.study.wording import expected_value, outcome

LONGEST_LINE = 40


@dataclass(frozen=True)
class Opening:
    """A first move, and its score for the player who makes it."""

    move: str
    said: str
    score: int
    best: bool


def openings(oracle: Oracle, start: Position) -> list[Opening]:
    """Return every first move, best moves first."""
    shares = oracle.strategy(start)
    listed = []
    for move, share in shares.items():
        score = oracle.worth(start, move)
        said = f"{share:.0%} of the time" if oracle.is_mixed else outcome(score)
        listed.append(Opening(move, said, score, share > 0))
    return sorted(listed, key=lambda opening: (not opening.best, -opening.score))


def best_line(oracle: Oracle, start: Position) -> list[tuple[Position, str]]:
    """Return a game with best play on both sides, up to `LONGEST_LINE` moves."""
    line: list[tuple[Position, str]] = []
    position = start
    while position.moves() and len(line) < LONGEST_LINE:
        move = oracle.best_moves(position)[0]
        line.append((position, move))
        position = position.play(move)
    return line


def verdict(oracle: Oracle, start: Position, *, undecided: str = "the game never ends") -> str:
    """Return a sentence that says who wins under best play."""
    value, score = oracle.value(start), oracle.score(start)
    first, second = player(start.to_move), player(1 - start.to_move)
    if score:
        winner, turns = (first if score > 0 else second), oracle.distance(start) or 0
        return f"With best play {winner} wins in {count(turns, 'turn')}; {first} moves first."
    if oracle.is_mixed:
        return f"With best play the game {expected_value(value)} to {first}, who moves first."
    line = best_line(oracle, start)
    if line and line[-1][0].play(line[-1][1]).outcome():
        undecided = "the game is a draw"
    return f"With best play {undecided}: neither {first} nor {second} can force a win."


def in_full(oracle: Oracle, start: Position) -> str:
    """Return the verdict, the table of first moves and a line of best play as text."""
    listed = openings(oracle, start)
    width = max((len(opening.move) for opening in listed), default=0)
    table = [
        f"  {opening.move:<{width}}  {opening.said}{'  best' if opening.best else ''}"
        for opening in listed
    ]
    line = best_line(oracle, start)
    played = [f"{player(position.to_move)}: {move}" for position, move in line]
    goes_on = ["…"] if len(line) == LONGEST_LINE else []
    return "\n".join(
        [
            verdict(oracle, start),
            "\nFirst moves, and the result of each for the player who makes it:",
            *table,
            "\nA line of best play:",
            *(f"  {step}" for step in [*played, *goes_on]),
        ]
    )
