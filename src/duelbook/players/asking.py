"""Ask a player for a move, and check beforehand whether it can play a game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from duelbook import players
from duelbook.errors import DuelbookError, InvalidMove
from duelbook.players import Player
from duelbook.players.failures import Failure, ProviderError
from duelbook.position import Position, check_move
from duelbook.secrecy import SeatRecord


def answer(player: Player, record: SeatRecord, random: Random) -> str:
    """Return a player's answer, which may be an illegal move; raise its faults as `Failure`."""
    try:
        return player.choose_from_record(record, random)
    except (Failure, ProviderError):
        raise
    except Exception as error:  # a player's code may raise anything
        raise Failure("CRASHED", f"{type(error).__name__}: {error}") from error


def reason_against(view: Position, move: str) -> str:
    """Return the book's reason against a move, or an empty text; it depends only on the view."""
    try:
        check_move(view, move)
    except InvalidMove as error:  # its text names the move
        return str(error)
    except DuelbookError as error:
        return f"{move}: {error}"
    except Exception:  # a game may be unable to explain a view with hidden values
        return f"{move}: {Position.why_not(view, ())}"
    return ""


def why_not(name: str, game: type[Position], make: Callable[[str], Player] = players.make) -> str:
    """Return the reason why a player cannot play a game, with the players that can, or "".

    If the player needs a solution of the game, this takes as long as the solution.
    """
    reason = _reason(make(name), game)
    if not reason:
        return ""
    able = [
        able_name
        for able_name in players.names()
        if able_name != name and not _reason(players.make(able_name), game)
    ]
    listed = " or ".join(filter(None, [", ".join(able[:-1]), *able[-1:]]))
    return f"{name} cannot play {game.title}: {reason} You can choose {listed}."


def _reason(player: Player, game: type[Position]) -> str:
    try:
        player.prepare(game)
    except DuelbookError as error:
        return str(error)
    return ""
