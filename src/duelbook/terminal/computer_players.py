"""Create and check computer players; a game between two people imports none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbook.players import Player
    from duelbook.position import Position


class ComputerPlayers:
    """The computer players of a local series, by their names."""

    def create(self, name: str) -> Player:
        """Return a computer player."""
        from duelbook.players.external.opponents import opponent  # two people do not need it

        return opponent(name)

    def check(self, name: str, game: type[Position]) -> None:
        """Refuse a player that is unknown or cannot play a game."""
        from duelbook.players.external.opponents import check  # two people do not need it

        check(name, game)

    def is_external(self, name: str) -> bool:
        """Return whether a name means an external player."""
        from duelbook.players.external.opponents import is_external  # two people do not need it

        return is_external(name)
