"""Information sets: the positions that are consistent with a view."""

from __future__ import annotations

from duelbook.errors import DuelbookError
from duelbook.position import CHANCE, Position
from duelbook.secrecy import has_hidden, keeps_secrets

MAX_POSITIONS = 500_000


def worlds(view: Position) -> list[Position]:
    """Return the information set of a view: all positions with this view for the player to move."""
    if not has_hidden(view):
        return [view]
    game = type(view)
    prepare_worlds(game)
    if view not in _known[game]:
        raise DuelbookError(f"No position of {game.title} has this view: {view!r}.")
    return _known[game][view]


def prepare_worlds(game: type[Position]) -> None:
    """Find the information sets of a game with secrets, or refuse a game that is too large."""
    if keeps_secrets(game) and game not in _known:
        _known[game] = _by_view(game)


_known: dict[type[Position], dict[Position, list[Position]]] = {}


def _by_view(game: type[Position]) -> dict[Position, list[Position]]:
    from duelbook.solver.enumeration.enumerator import enumerate_game  # needs NumPy

    by_view: dict[Position, list[Position]] = {}
    for first in (0, 1):
        for position in enumerate_game(
            game, first=first, max_positions=MAX_POSITIONS
        ).positions.known:
            if position.to_move == CHANCE:
                continue
            same_view = by_view.setdefault(position.view(position.to_move), [])
            if position not in same_view:
                same_view.append(position)
    return by_view
