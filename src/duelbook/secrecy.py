"""What follows from `view`: which words are typed unseen, and which moves a seat may know of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from duelbook.position import HIDDEN, Position

UNSEEN = "?"
MOST_WORLDS = 10_000


def keeps_secrets(game: type[Position]) -> bool:
    """Whether a game hides anything from anyone."""
    return game.view is not Position.view


def everyones(position: Position) -> Position:
    """Return the position with everything hidden that either seat may not know."""
    return position.view(0).view(1)


def in_the_dark(position: Position) -> bool:
    """Whether the player to move must choose without knowing something."""
    return is_incomplete(position) or position.view(position.to_move) != position


def is_incomplete(position: Position) -> bool:
    """Whether something is hidden in the position itself, as in a view."""
    return any(_hides(getattr(position, field.name)) for field in fields(position))


def _hides(value: object) -> bool:
    return value is HIDDEN or (isinstance(value, tuple) and any(map(_hides, value)))


def sealed(position: Position, words: tuple[str, ...]) -> bool:
    """Whether a move that starts with these words may have to stay unseen."""
    return keeps_secrets(type(position)) and (
        in_the_dark(position) or any(look != after for _, after, look in _ahead(position, words))
    )


def secret(position: Position, words: tuple[str, ...]) -> bool:
    """Whether the next word itself must stay unseen.

    It must when the player answers in the dark, being one half of a choice that is revealed
    together, or when the opponent will not be able to tell this word from another.
    """
    if not sealed(position, words):
        return False
    word_of: dict[Position, str] = {}
    return in_the_dark(position) or any(
        word_of.setdefault(look, word) != word for word, _, look in _ahead(position, words)
    )


def _ahead(position: Position, words: tuple[str, ...]) -> list[tuple[str, Position, Position]]:
    """Return for each move from these words its next word, what follows, and how it looks."""
    here, other = len(words), 1 - position.to_move
    moves = [(move, move.split()) for move in position.moves()]
    after = [
        (spelled[here], position.play(move))
        for move, spelled in moves
        if tuple(spelled[:here]) == words and len(spelled) > here
    ]
    return [(word, position, position.view(other)) for word, position in after]


def seen_by(seat: int, positions: Sequence[Position], moves: Sequence[str]) -> tuple[str, ...]:
    """Return the moves as a seat may know them: `attack ?` while the rest is secret.

    A move is known when it is the same in every world that has looked and sounded the same from
    the seat: what was told counts, because a position may not show all that was revealed.
    """
    if not keeps_secrets(type(positions[0])):
        return tuple(moves)
    steps = list(zip(positions, moves, positions[1:], strict=False))
    is_open = [
        before.to_move == seat or (after.view(seat) == after and not in_the_dark(before))
        for before, _, after in steps
    ]
    certain: list[str] = []
    worlds: set[tuple[Position, tuple[str, ...]]] = {(positions[0], ())}  # and moves not certain
    for (before, move, after), known in zip(steps, is_open, strict=True):
        look, told = after.view(seat), before.tell(move, after)
        worlds = {
            (world, (*past, other))
            for position, past in worlds
            for other in position.moves()
            if (other == move or not known)
            and (world := position.play(other)).view(seat) == look
            and position.tell(other, world) == told
        }
        if len(worlds) > MOST_WORLDS:  # then say less than the seat may know, never more
            return tuple(m if known else UNSEEN for m, known in zip(moves, is_open, strict=True))
        if len(worlds) == 1:
            certain += next(iter(worlds))[1]
            worlds = {(after, ())}
    return (*certain, *map(_common, zip(*(past for _, past in worlds), strict=True)))


def _common(moves: tuple[str, ...]) -> str:
    """Return the move, or as many of its first words as all these moves share."""
    if len(set(moves)) == 1:
        return moves[0]
    shared = []
    for words in zip(*(move.split() for move in moves), strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return " ".join([*shared, UNSEEN])
