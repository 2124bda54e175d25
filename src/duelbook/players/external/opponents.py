"""External players outside a tournament: opponents at the terminal or on a server."""

from __future__ import annotations

from pathlib import Path
from random import Random

from duelbook import players
from duelbook.errors import DuelbookError
from duelbook.players import Player
from duelbook.players.asking import answer, reason_against, why_not
from duelbook.players.failures import ABOUT, Failure, ProviderError
from duelbook.position import Position
from duelbook.secrecy import SeatRecord, keeps_secrets


def opponent(name: str) -> Player:
    """Return the player with a name: a computer player or an external player."""
    return players.make(name) if players.knows(name) else ExternalPlayer(name)


def is_external(name: str) -> bool:
    """Return whether a name is that of a file, a class, a program or a language model."""
    return (":" in name or name.endswith(".npz")) and not players.knows(name)


class ExternalPlayer(Player):
    """A player by name that raises `Failure` or `ProviderError` if it does not move.

    A new game, an error or a takeback creates it again, because a program or a conversation
    remembers the earlier moves.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._player = self._create()
        self._last_record: SeatRecord | None = None
        """The record of its seat at its last move."""

    def _create(self) -> Player:
        from duelbook.players.external.player_by_name import (  # slow to import
            MODEL,
            player_by_name,
        )

        # A person waits and can try again; a tournament retries more often.
        settings = {"retries": 1} if self._name.startswith(MODEL) else None
        return player_by_name(self._name, settings)

    def prepare(self, game: type[Position]) -> None:
        """Refuse a game that the player cannot play."""
        self._player.prepare(game)

    def choose(self, view: Position, random: Random) -> str:
        """Return a legal move for a view."""
        return self.choose_from_record(SeatRecord(view.to_move, view), random)

    def choose_from_record(self, record: SeatRecord, random: Random) -> str:
        """Return a legal move, given the record of the seat."""
        if self._last_record is not None and not record.continues(self._last_record):
            self._restart()
        try:
            move = _legal_move(self._player, record, random)
        except (Failure, ProviderError) as error:
            self._restart()
            raise _without_secrets(error, secret=keeps_secrets(type(record.view))) from error
        self._last_record = record
        return move

    def _restart(self) -> None:
        self.close()
        self._player, self._last_record = self._create(), None

    def close(self) -> None:
        """End the processes that the player has started."""
        self._player.close()


def _legal_move(player: Player, record: SeatRecord, random: Random) -> str:
    move = answer(player, record, random)
    if move not in record.view.moves():
        raise Failure("ILLEGAL", reason_against(record.view, move))
    return move


def _without_secrets(error: Failure | ProviderError, *, secret: bool) -> Failure | ProviderError:
    """Return an error without control characters, and without text that may reveal a secret."""
    if isinstance(error, Failure):
        return Failure(error.kind, ABOUT[error.kind] if secret else _printable(error.reason))
    return ProviderError("It could not be asked." if secret else _printable(str(error)))


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def short_name(name: str) -> str:
    """Return a short public name: the last part of a path, an address or a command."""
    kind, _, rest = name.partition(":")
    if players.knows(name):
        return name
    if kind == "llm":
        return rest.rpartition("@")[0].rpartition("/")[2] or kind
    if kind == "cmd":
        return Path(rest.split(maxsplit=1)[0]).name if rest.strip() else kind
    if name.endswith(".npz"):
        return Path(name).stem
    return name.rpartition(":")[2].strip() or name


def check(name: str, game: type[Position]) -> None:
    """Refuse an unknown player, or one that cannot play the game."""
    if reason := why_not(name, game, opponent):
        raise DuelbookError(reason)
