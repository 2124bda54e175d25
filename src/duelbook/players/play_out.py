"""One game between two computer players."""

from __future__ import annotations

from random import Random

from duelbook.play.match import Match, checked
from duelbook.players import Player
from duelbook.position import Position


def play_out(
    game: type[Position], players: tuple[Player, Player], random: Random, *, limit: int
) -> Match:
    """Play a game to its end or to a limit of plies; each player receives its own view."""
    positions, moves = [game()], list[str]()
    while len(moves) < limit and positions[-1].moves():
        position = positions[-1]
        seat = position.to_move
        moves.append(players[seat].choose(position.view(seat), random))
        positions.append(checked(position, moves[-1]))
    return Match(tuple(positions), tuple(moves))
