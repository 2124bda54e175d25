"""Asking a contestant for a move: whatever it does wrong is a failure of its own."""

from __future__ import annotations

from random import Random

from duelbook.arena.failures import Failure, ProviderError
from duelbook.errors import DuelbookError, InvalidMove
from duelbook.play.match import check
from duelbook.players import Player
from duelbook.players.asking import ask
from duelbook.position import Position
from duelbook.secrecy import Record


def answer(player: Player, record: Record, random: Random) -> str:
    """Return what a player answers, which need not be a legal move."""
    try:
        return ask(player, record, random)
    except (Failure, ProviderError):
        raise
    except Exception as error:  # whatever a bot does
        raise Failure("CRASHED", f"{type(error).__name__}: {error}") from error


def reason_against(view: Position, move: str) -> str:
    """Return the book's reason against a move; only the view is asked, so it reveals nothing."""
    try:
        check(view, move)
    except InvalidMove as error:  # which names the move
        return str(error)
    except DuelbookError as error:
        return f"{move}: {error}"
    except Exception:  # with something hidden, a game cannot always explain itself
        return f"{move}: {Position.why_not(view, ())}"
    return ""
