from __future__ import annotations

import pytest
from conftest import Run

import duelbook
from duelbook import Match, Position


def circle(game: type[Position]) -> tuple[list[str], list[str]]:
    """Return moves from the start, and moves after them that lead back to the same position."""
    path, seen = [game()], {game(): 0}
    moves: list[str] = []
    tried: dict[Position, int] = {}
    while True:
        position = path[-1]
        options = position.moves()
        nth = tried.get(position, 0)
        if nth == len(options):
            path.pop()
            del seen[position]
            moves.pop()
            continue
        tried[position] = nth + 1
        moves.append(options[nth])
        after = position.play(options[nth])
        if after in seen:
            return moves[: seen[after]], moves[seen[after] :]
        if after in tried:
            moves.pop()
            continue
        seen[after] = len(path)
        path.append(after)


@pytest.mark.clause("TD-R2")
@pytest.mark.parametrize("slug", ["tower-defense-duel", "token-tactics", "capture-and-conquer"])
def test_two_people_may_repeat_positions_until_one_resigns(slug: str, run: Run) -> None:
    opening, around = circle(duelbook.load(slug))
    match = Match.begin(duelbook.load(slug))
    for move in opening:
        match = match.play(move)
    before = match.position
    for move in around * (1000 // len(around)):
        match = match.play(move)
    assert match.position == before
    assert match.winner() is None
    moves = opening + around * (300 // len(around))
    screen = run("play", slug, typed="\n".join([*moves, "resign", ""])).stdout
    assert "resigns." in screen


@pytest.mark.parametrize("slug", ["island-conquest", "galaxy-conquest"])
def test_other_games_always_end(slug: str) -> None:
    # The sea only rises, and ships are only spent: no position repeats.
    position: Position = duelbook.load(slug)()
    for _ in range(15):
        if not position.moves():
            break
        position = position.play(position.moves()[0])
    assert position.winner() is not None
