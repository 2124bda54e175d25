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
    """Whether a name is that of a file, a class, a program or a language model."""
    return (":" in name or name.endswith(".npz")) and not players.knows(name)


class ExternalPlayer(Player):
    """A player whose faults are all `Failure`s, created again for every game.

    It is also created again after a failure and after a takeback: a program or a conversation
    remembers what has been taken back.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._player = self._made()
        self._asked: SeatRecord | None = None
        """What its seat had seen and heard when it moved last."""

    def _made(self) -> Player:
        from duelbook.players.external.naming import (  # start-up need not wait for it
            MODEL,
            player_by_name,
        )

        # A person waits, and can have it asked again; a tournament tries longer.
        patience = {"retries": 1} if self._name.startswith(MODEL) else None
        return player_by_name(self._name, patience)

    def prepare(self, game: type[Position]) -> None:
        """Refuse a game that the player cannot play."""
        self._player.prepare(game)

    def choose(self, view: Position, random: Random) -> str:
        """Return a legal move for a view."""
        return self.choose_from_record(SeatRecord(view.to_move, view), random)

    def choose_from_record(self, record: SeatRecord, random: Random) -> str:
        """Return a legal move, given what the seat has seen and heard."""
        if self._asked is not None and not record.continues(self._asked):
            self._begin_again()
        try:
            move = _legal(self._player, record, random)
        except (Failure, ProviderError) as error:
            self._begin_again()
            raise _fit_to_print(error, secret=keeps_secrets(type(record.view))) from error
        self._asked = record
        return move

    def _begin_again(self) -> None:
        self.close()
        self._player, self._asked = self._made(), None

    def close(self) -> None:
        """End what the player has started."""
        self._player.close()


def _legal(player: Player, record: SeatRecord, random: Random) -> str:
    move = answer(player, record, random)
    if move not in record.view.moves():
        raise Failure("ILLEGAL", reason_against(record.view, move))
    return move


def _fit_to_print(error: Failure | ProviderError, *, secret: bool) -> Failure | ProviderError:
    """Return an error without control characters, and without words that may tell a secret."""
    if isinstance(error, Failure):
        return Failure(error.kind, ABOUT[error.kind] if secret else _printable(error.said))
    return ProviderError("It could not be asked." if secret else _printable(str(error)))


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def short_name(name: str) -> str:
    """Return what others may call a player: of a path, an address or a command the last part."""
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
    """Refuse before a game a player that is unknown or cannot play it."""
    if reason := why_not(name, game, opponent):
        raise DuelbookError(reason)
